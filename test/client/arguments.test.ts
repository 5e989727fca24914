import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createClient, type BookQuery, type Client, type ClientOptions } from '../../src/index.ts';
import type { CallOptions, PageQuery, WriteCondition } from '../../src/client/index.ts';
import { storedBook } from '../support/books.ts';
import { collect, connect } from '../support/client.ts';
import { startStranger } from '../support/session.ts';

const scope = { after };
const server = await startStranger(scope);
const client = connect(scope, server.url, { token: 'the-token' });
const tag = '"tag"';
const book = storedBook(1);

/** Checks that something ends in a TypeError, and that nothing was sent. */
async function refuses(use: () => Promise<unknown>, message: RegExp): Promise<void> {
  const before = server.requests.length;
  let promise: Promise<unknown> | undefined;
  assert.doesNotThrow(() => (promise = use()), 'it rejects, and does not throw');
  await assert.rejects(promise ?? Promise.resolve(), { name: 'TypeError', message });
  assert.deepEqual(server.requests.slice(before), []);
}

describe('every method with an id refuses an invalid one, and sends nothing', () => {
  const methods: [name: string, use: (id: number) => Promise<unknown>][] = [
    ['get', (id) => client.get(id)],
    ['getTagged', (id) => client.getTagged(id)],
    ['refresh', (id) => client.refresh({ book: { ...book, id }, tag })],
    ['update', (id) => client.update(id, { year: 1 })],
    ['update with a condition', (id) => client.update(id, { year: 1 }, { ifMatch: tag })],
    ['delete', (id) => client.delete(id)],
    ['delete with a condition', (id) => client.delete(id, { ifMatch: tag })],
  ];
  const ids: unknown[] = [
    ...['../book/2', '../../admin', '1', '1?x', '1#x', '', '%2e%2e', '1\r\nX: y'],
    ...[0, -1, -0, 1.5, 2 ** 53, NaN, Infinity, 1n, true, null, undefined],
    ...([
      [1],
      ['../token'],
      {},
      { toString: () => '1' },
      { valueOf: () => 1 },
      Symbol('1'),
      () => 1,
    ] as unknown[]),
  ];
  for (const [name, use] of methods) {
    test(name, async () => {
      for (const id of ids)
        await refuses(() => use(id as number), /^id: expected a whole number from 1 to 2\^53-1$/);
    });
  }

  test('accept the minimum and the maximum id', async () => {
    for (const id of [1, 2 ** 53 - 1]) {
      await assert.rejects(client.get(id), { code: 'bad_response' });
      assert.equal(server.requests.at(-1), `GET /book/${id} the-token`);
    }
  });
});

describe('invalid options are refused, and nothing is sent', () => {
  const table: [options: unknown, message: RegExp][] = [
    [tag, /^options: expected an object/],
    [null, /^options: expected an object/],
    [[tag], /^options: expected an object/],
    [{ ifmatch: tag }, /^options\.ifmatch: unknown option; expected signal, ifMatch, batch$/],
    [{ signal: 1 }, /^options\.signal: expected an AbortSignal$/],
    ...['../undo', 'short', 1].map((batch): [unknown, RegExp] => [
      { batch },
      /^options\.batch: expected 8 to 64 of A-Z/,
    ]),
    ...['tag', '', '"a', '"a"\r\nX: y', '"a"b', '"é"', null, 1, [tag], { toString: () => tag }].map(
      (ifMatch): [unknown, RegExp] => [{ ifMatch }, /^options\.ifMatch: expected a tag/],
    ),
  ];
  for (const [options, message] of table) {
    test(JSON.stringify(options), async () => {
      await refuses(() => client.update(1, {}, options as WriteCondition), message);
      await refuses(() => client.delete(1, options as WriteCondition), message);
    });
  }

  test('options of writes for a read', async () => {
    const options = { ifMatch: tag } as CallOptions;
    for (const use of [client.get(1, options), client.history(1, options), client.trash({}, options)])
      await refuses(() => use, /^options\.ifMatch: unknown option; expected signal$/);
  });

  test('an invalid tag for refresh', async () => {
    for (const each of ['x', '"a"\r\n', undefined, ['"a"']])
      await refuses(() => client.refresh({ book, tag: each as string }), /^tag: expected a tag/);
  });

  test('all forms of entity tags are sent', async () => {
    for (const ifMatch of ['*', '"a"', 'W/"a"', '"a", "b"'])
      await assert.rejects(client.delete(1, { ifMatch }), { code: 'bad_response' });
  });
});

describe('an invalid query is refused, and not sent as another one', () => {
  const table: [query: unknown, message: RegExp][] = [
    ...['emma', 1, null, [], true].map((query): [unknown, RegExp] => [query, /^query/]),
    [{ q: ['a', 'b'] }, /^query\.q: expected a string$/],
    [{ q: null }, /^query\.q: expected a string$/],
    [{ title: 1984 }, /^query\.title: expected a string$/],
    [{ author: '\ud800' }, /^query\.author: it contains half a surrogate pair$/],
    [{ sort: ['title'] }, /^query\.sort: expected a string$/],
    [{ year: '1815' }, /^query\.year: expected a number$/],
    [{ yearFrom: 5n }, /^query\.yearFrom: expected a number$/],
  ];
  for (const [query, message] of table) {
    test(String(message), async () => {
      await refuses(() => client.list(query as BookQuery), message);
      await refuses(() => collect(client.iterate(query as BookQuery)), message);
      await refuses(() => client.count(query as BookQuery), message);
      await refuses(() => client.page(query as PageQuery), message);
    });
  }

  for (const [query, message] of [
    [{ after: {} }, /^query\.after: expected a string$/],
    [{ limit: '5' }, /^query\.limit: expected a number$/],
    [{ count: 1 }, /^query\.count: expected a boolean$/],
  ] as [query: unknown, message: RegExp][])
    test(`${String(message)} of a page; a whole list and a count have no such member`, async () => {
      const unknown = /^query\.(after|limit|count): unknown member$/;
      await refuses(() => client.page(query as PageQuery), message);
      await refuses(() => client.list(query as BookQuery), unknown);
      await refuses(() => client.count(query as BookQuery), unknown);
      await refuses(() => client.stats(query as BookQuery), unknown);
      await refuses(() => collect(client.iterate(query as BookQuery)), unknown);
    });
});

describe('createClient refuses options that could lead to another service', () => {
  const table: [what: string, options: unknown, message: RegExp][] = [
    ['an address instead of options', server.url, /^options: expected an object/],
    ['nothing', null, /^options: expected an object/],
    ['a list', [server.url], /^options: expected an object/],
    ['an address under another name', { baseUrl: server.url }, /^options\.baseUrl: unknown option; .*url/],
    [
      'an address that is an object',
      { url: { toString: () => server.url } },
      /^options\.url: expected a string/,
    ],
    ['a null address', { url: null }, /^options\.url: expected a string/],
    ['a token with a line break', { url: server.url, token: 'a\r\nX: y' }, /^options\.token: /],
    ['two tokens', { url: server.url, token: ['a', 'b'] }, /^options\.token: /],
    ['a timeout as text', { url: server.url, timeoutMs: '5' }, /^options\.timeoutMs: /],
    ['an infinite timeout', { url: server.url, timeoutMs: Infinity }, /^options\.timeoutMs: /],
    ['a timeout of 0', { url: server.url, timeoutMs: 0 }, /^options\.timeoutMs: /],
    ['a misspelt option', { url: server.url, timeout: 5 }, /^options\.timeout: unknown option; .*timeoutMs/],
    ['a signal of another kind', { url: server.url, signal: {} }, /^options\.signal: /],
    [
      'headers that would be lost',
      { url: server.url, headers: new Headers({ a: 'b' }) },
      /^options\.headers: /,
    ],
    ['headers as text', { url: server.url, headers: 'X: y' }, /^options\.headers: /],
    ['a fetch that is not a function', { url: server.url, fetch: server.url }, /^options\.fetch: /],
    ['unknown credentials', { url: server.url, credentials: 'all' }, /^options\.credentials: /],
  ];
  for (const [what, options, message] of table) {
    test(what, () => {
      assert.throws(() => createClient(options as ClientOptions), { name: 'TypeError', message });
    });
  }
});

test('a path that starts with two slashes does not lead to another host', async (t) => {
  const other = await startStranger(t);
  const host = new URL(other.url).host;
  for (const path of [`//${host}`, `//${host}/a`, `/%2f/${host}`, `/\\${host}`]) {
    const use: Client = connect(t, server.url + path, { token: 'the-token' });
    await assert.rejects(use.get(1), { code: 'bad_response' });
    await assert.rejects(use.login('ada', 'secret'), { code: 'bad_response' });
  }
  assert.deepEqual(other.requests, []);
});
