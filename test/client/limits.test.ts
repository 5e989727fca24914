import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { createHttpFetch } from '../../src/cli/session/connection.ts';
import { exchangeText, type Fetch } from '../../src/client/wire.ts';
import type { ShelflistError } from '../../src/index.ts';
import { collect, connect } from '../support/client.ts';
import { startService } from '../support/service.ts';
import { startStranger } from '../support/session.ts';

const timeoutMs = 100;

describe('timeoutMs limits a whole call', () => {
  const isTimeout = { code: 'timeout', message: /no complete response within 0.1 s$/ };

  test('without a response, also of books()', async (t) => {
    const { url } = await startStranger(t, () => undefined);
    const client = connect(t, url, { timeoutMs });
    await assert.rejects(client.list(), isTimeout);
    await assert.rejects(client.create({}), isTimeout);
    await assert.rejects(collect(client.iterate()), isTimeout);
  });

  test('with a response that never ends, however often a part of it arrives', async (t) => {
    const { url } = await startStranger(t, (_, response) => {
      const timer = setInterval(() => response.write(' '), timeoutMs / 5);
      response.once('close', () => {
        clearInterval(timer);
      });
    });
    await assert.rejects(connect(t, url, { timeoutMs }).list(), isTimeout);
  });

  test('with a token function, or a fetch, that does not return', async () => {
    const never = () => new Promise<never>(() => undefined);
    const scope = { after: () => undefined };
    const url = 'http://127.0.0.1:1';
    await assert.rejects(connect(scope, url, { timeoutMs, token: never }).list(), isTimeout);
    await assert.rejects(connect(scope, url, { timeoutMs, fetch: never }).list(), isTimeout);
  });
});

describe('an endless response is refused', () => {
  const isTooLong = { code: 'bad_response', message: /is longer than 100000 bytes; read lists in pages/ };
  for (const [name, fetch] of [
    ['fetch', globalThis.fetch as Fetch],
    ['fetch of the commands', createHttpFetch()],
  ] as const)
    test(name, async (t) => {
      const closed: Promise<unknown>[] = [];
      const { url } = await startStranger(t, (_, response) => {
        closed.push(once(response, 'close'));
        const fill = () => {
          while (response.write('x'.repeat(10_000)));
        };
        response.on('drain', fill);
        fill();
      });
      const wire = { root: url, fetch, maxResponseBytes: 100_000 };
      await assert.rejects(exchangeText(wire, { path: '/books' }), isTooLong);
      await Promise.all(closed);
    });
});

describe('a signal ends', () => {
  const reason = new Error('not needed any more');

  test('one call, which rejects with its reason; others continue', async (t) => {
    const { url, requests } = await startStranger(t, (request, response) => {
      if (request.url === '/books') response.end('{"status":200,"message":"x","data":[]}');
    });
    const client = connect(t, url);
    const end = new AbortController();
    const call = client.get(1, { signal: end.signal });
    const list = client.list();
    end.abort(reason);
    await assert.rejects(call, reason);
    assert.deepEqual(await list, []);
    const before = requests.length;
    await assert.rejects(client.get(1, { signal: end.signal }), reason);
    assert.equal(requests.slice(before).filter((line) => line.startsWith('GET /book/1')).length, 0);
  });

  test('every call of a client, if it is the signal of the client', async (t) => {
    const { url } = await startStranger(t, () => undefined);
    const end = new AbortController();
    const client = connect(t, url, { signal: end.signal });
    const calls = [client.get(1), client.update(1, {}), collect(client.iterate()), client.login('a', 'b')];
    end.abort(reason);
    for (const call of calls) await assert.rejects(call, reason);
  });
});

test('close() ends the calls in flight; later ones are possible', async (t) => {
  let isSilent = true;
  const { url } = await startStranger(t, (_, response) => {
    if (!isSilent) response.end('{"status":200,"message":"x","data":[]}');
  });
  const client = connect(t, url);
  const call = client.list();
  client.close();
  await assert.rejects(call, { code: 'unreachable', message: 'the client was closed' });
  isSilent = false;
  assert.deepEqual(await client.list(), []);
});

test('an error has the id of its request, which is in the log of the service', async (t) => {
  const { url, token, requests } = await startService(t);
  let id: string | undefined;
  await assert.rejects(connect(t, url, { token }).get(7), (error: ShelflistError) => {
    id = error.requestId;
    return error.code === 'book_not_found';
  });
  assert.ok(id !== undefined && requests.at(-1)?.includes(id));
});
