import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { ProtocolError, serveJsonRpc, type Handle } from '../../../../src/cli/commands/mcp/json-rpc.ts';

const circle: { self?: object } = {};
circle.self = circle;
/** The message of the runtime. */
let notJsonMessage = '';
try {
  JSON.stringify(circle);
} catch (error) {
  notJsonMessage = (error as Error).message;
}

/** Answers with what it was asked; `wait` when it is aborted. */
const echo: Handle = async (method, params, signal) => {
  if (method === 'wait') await once(signal, 'abort');
  if (method === 'fail') throw new ProtocolError(7, 'refused', { why: 'test' });
  if (method === 'circle') return circle;
  if (method === 'crash') throw new Error('unexpected');
  return { method, params };
};

interface Exchange {
  readonly stdin: PassThrough;
  /** The messages that were written, once the input has ended. */
  readonly answers: Promise<unknown[]>;
}

function start(handle: Handle = echo, signal = new AbortController().signal): Exchange {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const serving = serveJsonRpc({ stdin, stdout }, handle, signal).then(() => stdout.end());
  const answers = Promise.all([text(stdout), serving]).then(([output]) => {
    assert.match(output, /^(?:.+\n)*$/);
    return output.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
  });
  return { stdin, answers };
}

function exchange(input: string | Uint8Array): Promise<unknown[]> {
  const { stdin, answers } = start();
  stdin.end(input);
  return answers;
}

const request = (id: unknown, method = 'm', params?: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const answer = (id: unknown, method = 'm', params?: object) => ({
  jsonrpc: '2.0',
  id,
  result: { method, ...(params && { params }) },
});
const failure = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
const notJson = failure(null, -32700, 'a line is not JSON in UTF-8');
const notRequest = 'a message is an object with "jsonrpc": "2.0" and a "method"';

describe('each line has an answer, or needs none', () => {
  const table: [title: string, input: string | Uint8Array, expected: unknown[]][] = [
    ['a request', request(1, 'm', { a: 'é' }), [answer(1, 'm', { a: 'é' })]],
    ['an id that is text', request('x'), [answer('x')]],
    ['a last line without an end', request(1).trimEnd(), [answer(1)]],
    ['line ends of Windows, and blank lines', `\r\n  \n${request(1).replace('\n', '\r\n')}\n`, [answer(1)]],
    ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}\n', []],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}\n', []],
    ['no JSON', `{\n${request(1)}`, [notJson, answer(1)]],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), [notJson]],
    ['a deep value', `${'['.repeat(100_000)}\n`, [notJson]],
    ['another version', '{"id":1,"method":"m"}\n', [failure(1, -32600, notRequest)]],
    ['no method', '{"jsonrpc":"2.0","id":1}\n', [failure(1, -32600, notRequest)]],
    ['a value that is no object', 'null\n', [failure(null, -32600, notRequest)]],
    ['an id of null', request(null), [failure(null, -32600, 'the id is neither a string nor a number')]],
    [
      'an error of the protocol',
      request(1, 'fail'),
      [{ ...failure(1, 7, 'refused'), error: { code: 7, message: 'refused', data: { why: 'test' } } }],
    ],
    ['an unexpected error', request(1, 'crash'), [failure(1, -32603, 'unexpected')]],
    [
      'a result that is not JSON',
      request(1, 'circle') + request(2),
      [{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: notJsonMessage } }, answer(2)],
    ],
    [
      'a batch',
      `[${request(1)},{"jsonrpc":"2.0","method":"n"},${request(2)}]`.replaceAll('\n', ''),
      [[answer(1), answer(2)]],
    ],
    ['an empty batch', '[]\n', [failure(null, -32600, 'a batch has 1 to 100 messages')]],
  ];
  for (const [title, input, expected] of table)
    test(title, async () => {
      assert.deepEqual(await exchange(input), expected);
    });
});

test('a line that is too long is refused without being kept, and the next one is read', async () => {
  const { stdin, answers } = start();
  const part = Buffer.alloc(2 ** 20, 'x');
  for (let i = 0; i < 5; i++) if (!stdin.write(part)) await once(stdin, 'drain');
  stdin.end(`\n${request(1)}`);
  assert.deepEqual(await answers, [failure(null, -32600, 'a message has at most 4194304 bytes'), answer(1)]);
});

test('a request may arrive byte by byte', async () => {
  const { stdin, answers } = start();
  for (const byte of Buffer.from(request(1, 'm', { title: 'Les Misérables 📚' })))
    stdin.write(Buffer.of(byte));
  stdin.end();
  assert.deepEqual(await answers, [answer(1, 'm', { title: 'Les Misérables 📚' })]);
});

test('an answer has no line ends of any kind', async () => {
  const { stdin, answers } = start(() => Promise.resolve({ text: 'a\n\u2028b\u2029' }));
  stdin.end(request(1));
  assert.deepEqual(await answers, [{ jsonrpc: '2.0', id: 1, result: { text: 'a\n\u2028b\u2029' } }]);
});

test('a cancelled request gets no answer, and its id is in use until then', async () => {
  const { stdin, answers } = start();
  const cancel = (requestId: unknown) =>
    `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })}\n`;
  stdin.end(request(1, 'wait') + request(1) + cancel('1') + cancel(2) + cancel(1));
  assert.deepEqual(await answers, [failure(1, -32600, 'the id is in use')]);
});

test('after the signal, requests in flight are aborted and not answered', async () => {
  const controller = new AbortController();
  const { stdin, answers } = start(echo, controller.signal);
  stdin.write(request(1) + request(2, 'wait'));
  setImmediate(() => {
    controller.abort();
  });
  assert.ok((await answers).length <= 1);
});

test('no more than 16 requests run at once; the others are read later', async () => {
  let running = 0;
  let most = 0;
  const { stdin, answers } = start(async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return {};
  });
  stdin.end(Array.from({ length: 100 }, (_, i) => request(i)).join(''));
  assert.equal((await answers).length, 100);
  assert.equal(most, 16);
});
