import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Book } from '../../src/catalogue/book.ts';
import { listFields } from '../../src/catalogue/fields.ts';
import { embeddedStore, startService, type Answer } from '../support/service.ts';

const service = await startService({ after }, await embeddedStore({ after }));
const { token } = service;
const ndjson = { 'Content-Type': 'application/x-ndjson' };

const send = (body: unknown, headers = {}) =>
  service.request('POST', '/books', { token, headers, body: body as string });

async function all(): Promise<Book[]> {
  return (await service.request('GET', '/books', { token })).envelope?.data as Book[];
}

const noObject = `a book is a JSON object with ${listFields()}`;
const noText = 'title is not a string';

type Imported = [accepted: number, rejected: { line: number; message: string }[]];

/** The ids are the next ones, in the order of the accepted books. */
function check(answer: Answer, before: readonly Book[], [accepted, rejected]: Imported): void {
  const next = (before.at(-1)?.id ?? 0) + 1;
  const { batch, ...data } = answer.envelope?.data as { batch: string };
  assert.match(batch, /^[0-9a-f]{20}$/);
  assert.deepEqual(
    { ...answer.envelope, data },
    {
      status: 200,
      message: 'Books imported',
      data: { ids: Array.from({ length: accepted }, (_, i) => next + i), rejected },
    },
  );
}

describe('POST /books stores books in order, and gives reasons for the rest', () => {
  const table: [what: string, body: unknown, headers: object, expected: Imported, titles: string[]][] = [
    ['an array', [{ title: 'A', author: 'B', year: 1 }, { title: 'C' }], {}, [2, []], ['A', 'C']],
    ['an empty array', [], {}, [0, []], []],
    ['an array, laid out', ' \r\n[\n{"title":"A"}\n,\t{"title":"B"}\n]\n', {}, [2, []], ['A', 'B']],
    [
      'an array with elements that are not books',
      [{ title: 'A' }, { title: 7 }, null, {}, [], { title: 'B' }, '{'],
      {},
      [
        3,
        [
          { line: 2, message: noText },
          { line: 3, message: noObject },
          { line: 5, message: noObject },
          { line: 7, message: noObject },
        ],
      ],
      ['A', '', 'B'],
    ],
    ['an array, as any other type', '[{"title":"A"}]', { 'Content-Type': 'text/plain' }, [1, []], ['A']],
    ['lines', '{"title":"A"}\n{"title":"B"}\n', ndjson, [2, []], ['A', 'B']],
    ['lines, the last without an end', '{"title":"A"}\r\n{"title":"B"}', ndjson, [2, []], ['A', 'B']],
    ['no lines', '', ndjson, [0, []], []],
    [
      'a type with a parameter',
      '{"title":"A"}',
      { 'Content-Type': 'Application/X-NDJSON; charset=utf-8' },
      [1, []],
      ['A'],
    ],
    [
      'lines that are not books',
      '\n{"title":"A"}\n{"title"\n \n[{"title":"B"}]\n{"title":"C\u2028"}',
      ndjson,
      [
        2,
        [
          { line: 3, message: 'not JSON' },
          { line: 5, message: noObject },
        ],
      ],
      ['A', 'C\u2028'],
    ],
    [
      'a book longer than one alone may be',
      [{ title: 'A' }, { title: 'x'.repeat(1024 * 1024) }, { title: 'é'.repeat(600_000) }],
      {},
      [
        1,
        [
          { line: 2, message: 'longer than 1048576 bytes' },
          { line: 3, message: 'longer than 1048576 bytes' },
        ],
      ],
      ['A'],
    ],
    ['members that are ignored', [{ id: 99, title: 'A', unknown: '1' }], {}, [1, []], ['A']],
  ];
  for (const [what, body, headers, expected, titles] of table) {
    test(what, async () => {
      const before = await all();
      check(await send(body, headers), before, expected);
      const added = (await all()).slice(before.length);
      assert.deepEqual(
        added.map((book) => book.title),
        titles,
      );
    });
  }

  test('5,000 books get consecutive ids', async () => {
    const before = await all();
    const books = Array.from({ length: 5000 }, (_, i) => ({ title: String(i) }));
    check(await send(books), before, [5000, []]);
    assert.deepEqual(
      (await all()).slice(before.length).map((book) => book.title),
      books.map((book) => book.title),
    );
  });
});

describe('a refused POST /books stores nothing', () => {
  const table: [what: string, body: unknown, headers: object, status: number, message: string][] = [
    ['no body', '', {}, 400, 'Invalid input'],
    ['an object', { title: 'A' }, {}, 400, 'Invalid input'],
    ['a text', '"[]"', {}, 400, 'Invalid input'],
    ['lines that do not say so', '{"title":"A"}\n{"title":"B"}', {}, 400, 'Invalid input'],
    ['an array that is cut off', '[{"title":"A"}', {}, 400, 'Invalid input'],
    ['an array with something behind it', '[{"title":"A"}]x', {}, 400, 'Invalid input'],
    ['an array with a comma too many', '[{"title":"A"},]', {}, 400, 'Invalid input'],
    ['an array with no JSON in it', '[{"title":"A"},{"title"}]', {}, 400, 'Invalid input'],
    ['an array behind a no-break space', '\u00a0[]', {}, 400, 'Invalid input'],
    ['an array that is not UTF-8', Buffer.from('[{"title":"\xe9"}]', 'latin1'), {}, 400, 'Invalid input'],
    [
      'lines that are not UTF-8',
      Buffer.from('{"title":"A"}\n"\xe9"', 'latin1'),
      ndjson,
      400,
      'Invalid input',
    ],
    ['more than 10,000 elements that are not books', `[${'1,'.repeat(10_000)}1]`, {}, 400, 'Invalid input'],
    [
      'more than 100,000 elements',
      Buffer.from(`[${'{},'.repeat(100_000)}{}]`),
      {},
      413,
      'Request body too large',
    ],
    ['more than 100,000 lines', '{}\n'.repeat(100_001), ndjson, 413, 'Request body too large'],
    ['nested endlessly', '['.repeat(1_000_000), {}, 400, 'Invalid input'],
    // Its length is refused before it is sent.
    [
      'more than 10 MiB',
      '',
      { 'Content-Length': 10 * 1024 * 1024 + 1, Expect: '100-continue' },
      413,
      'Request body too large',
    ],
    ['compressed', '[]', { 'Content-Encoding': 'gzip' }, 415, 'Unsupported content encoding'],
  ];
  for (const [what, body, headers, status, message] of table) {
    test(what, async () => {
      const before = (await all()).length;
      const answer = await send(body, headers);
      assert.deepEqual(answer.envelope, { status, message, data: null });
      assert.equal((await all()).length, before);
    });
  }

  test('more than 10 MiB without a Content-Length', async () => {
    const before = (await all()).length;
    const body = `[${'{"title":"A"},'.repeat(800_000)}{}]`;
    const headers = { 'Transfer-Encoding': 'chunked' };
    assert.equal((await send(body, headers)).status, 413);
    assert.equal((await all()).length, before);
  });

  test('without a token', async () => {
    const { envelope } = await service.request('POST', '/books', { body: [] });
    assert.equal(envelope?.message, 'Authorization token required');
  });
});

test('100,000 books in one body are stored', async (context) => {
  const other = await startService(context, { databaseUrl: 'memory:' });
  const answer = await other.request('POST', '/books', {
    token: other.token,
    body: `[${'{},'.repeat(99_999)}{}]`,
  });
  assert.equal((answer.envelope?.data as { ids: number[] }).ids.at(-1), 100_000);
});

test('/books supports GET and POST', async () => {
  const { status, headers } = await service.request('PUT', '/books', { token });
  assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, POST, OPTIONS']);
});

test('the limit of POST /books is a setting', async (context) => {
  const small = await startService(context, { bulkLimitBytes: 20 });
  const options = { token: small.token, body: '[{"title":"ABCDEFGHIJ"}]' };
  assert.equal((await small.request('POST', '/books', options)).status, 413);
  assert.equal((await small.request('POST', '/books', { ...options, body: '[{"title":"A"}]' })).status, 200);
});
