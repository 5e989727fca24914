import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { exampleBook as emma } from '../../src/catalogue/book.ts';
import { openStore } from '../../src/index.ts';
import { startService, type TestService } from '../support/service.ts';
import type { Scope } from '../support/temp.ts';

const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

let service: TestService;
let id: number;

/** Sends a request with the token; gives status, message and data. */
async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const { status, envelope } = await service.request(method, path, { token: service.token, body, headers });
  return [status, envelope?.message, envelope?.data] as const;
}

async function create(headers: Record<string, string> = {}): Promise<number> {
  const [, , data] = await ask('POST', '/book', emma, headers);
  return (data as { id: number }).id;
}

interface State {
  version: string;
  at: string;
}

const statesOf = async (book: number) => (await ask('GET', `/book/${book}/history`))[2] as State[];

before(async () => {
  service = await startService(wholeFile);
});
beforeEach(async () => {
  id = await create();
});

test('at most 8 histories and summaries of batches are read at once, and one of these summaries', async (t) => {
  const store = await openStore('memory:');
  const batch = 'a-batch-of-books';
  await store.create(emma, { batch });
  const most = { all: 0, batches: 0 };
  const now = { all: 0, batches: 0 };
  const release: (() => void)[] = [];
  const held = async (step: { all: number; batches: number }) => {
    for (const name of ['all', 'batches'] as const)
      most[name] = Math.max(most[name], (now[name] += step[name]));
    await new Promise<void>((resolve) => release.push(resolve));
    for (const name of ['all', 'batches'] as const) now[name] -= step[name];
  };
  const { token, url } = await startService(t, {
    store: {
      ...store,
      history: async (book) => (await held({ all: 1, batches: 0 }), store.history(book)),
      batch: async (id) => (await held({ all: 1, batches: 1 }), store.batch(id)),
    },
  });
  const paths = [...Array<string>(12).fill('/book/1/history'), ...Array<string>(4).fill(`/batch/${batch}`)];
  let done = 0;
  const answers = paths.map(async (path) => {
    const { status } = await fetch(url + path, { headers: { Authorization: token } });
    done++;
    return status;
  });
  while (now.all < 8) await setImmediate();
  while (done < paths.length) {
    release.shift()?.();
    await setImmediate();
  }
  assert.deepEqual(await Promise.all(answers), Array(paths.length).fill(200));
  assert.deepEqual(most, { all: 8, batches: 1 });
});

describe('GET /book/{id}/history', () => {
  test('has the earlier states, newest first, with a version, a time in UTC and the kind of the change', async () => {
    assert.deepEqual(await statesOf(id), []);
    await ask('PUT', `/book/${id}`, { year: 1816 });
    await ask('DELETE', `/book/${id}`);
    const [status, message, data] = await ask('GET', `/book/${id}/history`);
    assert.deepEqual([status, message], [200, 'History retrieved successfully']);
    const states = (data as State[]).map(({ version, at, ...state }) => {
      assert.match(version, /^[0-9]+$/);
      assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      return state;
    });
    assert.deepEqual(states, [
      { change: 'deleted', ...emma, year: 1816 },
      { change: 'updated', ...emma },
    ]);
  });

  for (const path of ['/book/999999/history', '/book/x/history', '/book/01/history'])
    test(`${path} is a 404`, async () => {
      assert.deepEqual(await ask('GET', path), [404, 'Book not found', null]);
    });
});

describe('POST /book/{id}/revert', () => {
  const ok = 'Book reverted successfully';

  for (const [what, body] of [
    ['{}', {}],
    ['no body', undefined],
    ['an empty body', ''],
    ['other members', { id: 7, title: 'x' }],
  ] as const)
    test(`with ${what}: the state before the last change`, async () => {
      await ask('PUT', `/book/${id}`, { year: 1 });
      await ask('PUT', `/book/${id}`, { year: 2 });
      assert.deepEqual(await ask('POST', `/book/${id}/revert`, body), [200, ok, { id, ...emma, year: 1 }]);
    });

  test('with a version: that state', async () => {
    await ask('PUT', `/book/${id}`, { year: 1 });
    await ask('PUT', `/book/${id}`, { year: 2 });
    const version = (await statesOf(id))[1]?.version;
    assert.deepEqual(await ask('POST', `/book/${id}/revert`, { version }), [200, ok, { id, ...emma }]);
  });

  test('of a deleted book brings it back', async () => {
    await ask('DELETE', `/book/${id}`);
    assert.deepEqual(await ask('POST', `/book/${id}/revert`), [200, ok, { id, ...emma }]);
    assert.deepEqual((await ask('GET', `/book/${id}`))[2], { id, ...emma });
  });

  test('checks the token, the id, If-Match and the body, in this order', async () => {
    const target = `/book/${id}/revert`;
    const other = { 'If-Match': '"x"' };
    const { status, envelope } = await service.request('POST', '/book/x/revert', { body: '[]' });
    assert.deepEqual([status, envelope?.message], [401, 'Authorization token required']);
    assert.deepEqual(await ask('POST', '/book/x/revert', '[]', other), [404, 'Book not found', null]);
    assert.deepEqual(await ask('POST', '/book/999999/revert', '[]', other), [404, 'Book not found', null]);
    assert.deepEqual(await ask('POST', target, '[]', other), [412, 'Precondition failed', null]);
    for (const body of ['[]', '{', 'null', '7', '{"version":1.5}', '{"version":null}', Buffer.from([0xff])])
      assert.deepEqual(await ask('POST', target, body), [400, 'Invalid input', null]);
    for (const body of [
      {},
      { version: '1e9' },
      { version: '' },
      { version: '999999999' },
      { version: 999_999_999 },
    ])
      assert.deepEqual(await ask('POST', target, body), [404, 'Book not found', null]);
  });

  test('with the If-Match of a deleted book is a 412', async () => {
    const { headers } = await service.request('GET', `/book/${id}`, { token: service.token });
    await ask('DELETE', `/book/${id}`);
    const condition = { 'If-Match': String(headers.etag) };
    assert.deepEqual(await ask('POST', `/book/${id}/revert`, {}, condition), [
      412,
      'Precondition failed',
      null,
    ]);
  });
});

describe('GET /trash', () => {
  test('pages through the deleted books, newest first', async () => {
    const ids = [id, await create(), await create()];
    for (const each of ids) await ask('DELETE', `/book/${each}`);
    const [status, message, all] = await ask('GET', '/trash');
    assert.deepEqual([status, message], [200, 'Deleted books retrieved successfully']);
    const found: unknown[] = [];
    for (let target: string | undefined = '/trash?limit=2'; target !== undefined;) {
      const { envelope, headers } = await service.request('GET', target, { token: service.token });
      found.push(...(envelope?.data as unknown[]));
      target = /<(.*)>; rel="next"/.exec(String(headers.link))?.[1]?.replace(/^/, '/');
    }
    assert.deepEqual(found, all);
    const [newest] = found as { deletedAt: string }[];
    assert.deepEqual(newest, { id: ids[2], ...emma, deletedAt: newest?.deletedAt });
    assert.deepEqual((found as { id: number }[]).map((book) => book.id).slice(0, 3), ids.reverse());
  });

  for (const query of ['q=emma', 'limit=0', 'limit=1001', 'after=', 'after=x', 'sort=id', 'limit=1&limit=1'])
    test(`?${query} is a 400`, async () => {
      assert.deepEqual(await ask('GET', `/trash?${query}`), [400, 'Invalid query', null]);
    });
});

describe('GET /batches', () => {
  test('pages through the batches, newest first', async () => {
    const names = [1, 2, 3].map((n) => `batch-${id}-${n}`);
    for (const Batch of names) await create({ Batch });
    const [status, message, all] = await ask('GET', '/batches');
    assert.deepEqual([status, message], [200, 'Batches retrieved successfully']);
    const found: unknown[] = [];
    for (let target: string | undefined = '/batches?limit=2'; target !== undefined;) {
      const { envelope, headers } = await service.request('GET', target, { token: service.token });
      found.push(...(envelope?.data as unknown[]));
      target = /<(.*)>; rel="next"/.exec(String(headers.link))?.[1]?.replace(/^/, '/');
    }
    assert.deepEqual(found, all);
    const newest = (found as { batch: string; at: string }[]).slice(0, 3);
    assert.deepEqual(newest.map(({ batch }) => batch).sort(), names);
    for (const each of newest) {
      const numbers = { created: 1, updated: 0, deleted: 0, reverted: 0, undoable: true };
      assert.deepEqual(each, { batch: each.batch, at: each.at, ...numbers });
    }
  });

  test('names some books of each with ?books, as does a batch', async () => {
    const headers = { Batch: `batch-${id}` };
    const [a, b] = [await create(headers), await create(headers)];
    await ask('PUT', `/book/${b}`, { year: 1 });
    await ask('DELETE', `/book/${a}`, undefined, headers);
    const books = [
      { id: b, change: 'created', ...emma },
      { id: a, change: 'deleted', ...emma },
    ];
    const [, , [newest]] = (await ask('GET', '/batches?limit=1&books=1')) as [number, string, object[]];
    assert.deepEqual(newest, { ...newest, books: books.slice(0, 1) });
    const [status, , data] = await ask('GET', `/batch/${headers.Batch}?books=50`);
    assert.deepEqual([status, data], [200, { ...(data as object), books }]);
    for (const query of ['books=0', 'books=51', 'books=x']) {
      assert.deepEqual(await ask('GET', `/batches?${query}`), [400, 'Invalid query', null]);
      assert.deepEqual(await ask('GET', `/batch/${headers.Batch}?${query}`), [400, 'Invalid query', null]);
    }
    assert.deepEqual(await ask('GET', '/batch/of-nothing-at-all?books=0'), [404, 'Not found', null]);
  });

  for (const query of ['q=emma', 'limit=0', 'limit=1001', 'after=', 'after=x', 'sort=id', 'limit=1&limit=1'])
    test(`?${query} is a 400`, async () => {
      assert.deepEqual(await ask('GET', `/batches?${query}`), [400, 'Invalid query', null]);
    });

  test('names what the history and the trash name', async () => {
    const headers = { Batch: `batch-${id}` };
    await ask('PUT', `/book/${id}`, { year: 1 }, headers);
    await ask('DELETE', `/book/${id}`, undefined, headers);
    const [, , states] = await ask('GET', `/book/${id}/history`);
    const [, , [newest]] = (await ask('GET', '/trash?limit=1')) as [number, string, { batch: string }[]];
    assert.deepEqual(
      [...(states as { batch: string }[]).map(({ batch }) => batch), newest?.batch],
      [headers.Batch, headers.Batch, headers.Batch],
    );
  });
});

describe('a batch', () => {
  test('of every kind of write is counted, and taken back', async () => {
    const headers = { Batch: `batch-${id}` };
    const deleted = await create();
    const gone = await create();
    await ask('DELETE', `/book/${gone}`);
    const [, , books] = await ask('GET', '/books');
    await create(headers);
    const [, , imported] = await ask('POST', '/books', [{}, {}], headers);
    assert.equal((imported as { batch: string }).batch, headers.Batch);
    await ask('PUT', `/book/${id}`, { year: 1 }, headers);
    await ask('DELETE', `/book/${deleted}`, undefined, headers);
    await ask('POST', `/book/${gone}/revert`, {}, headers);
    const [, message, data] = await ask('GET', `/batch/${headers.Batch}`);
    const { at } = data as State;
    assert.deepEqual(
      [message, data],
      [
        'Batch retrieved successfully',
        { batch: headers.Batch, at, created: 3, updated: 1, deleted: 1, reverted: 1, undoable: true },
      ],
    );
    const [, undone, result] = await ask('POST', `/batch/${headers.Batch}/undo`);
    const { batch } = result as { batch: string };
    assert.deepEqual(
      [undone, result],
      ['Batch undone successfully', { batch, undone: 6, left: [], next: null }],
    );
    assert.deepEqual((await ask('GET', '/books'))[2], books);
    const [, , after] = await ask('GET', `/batch/${headers.Batch}`);
    assert.deepEqual(after, { ...(data as State), undoable: false });
    await ask('POST', `/batch/${batch}/undo`);
    assert.equal((await ask('GET', `/book/${id}`))[1], 'Book retrieved successfully');
    assert.equal(((await ask('GET', `/book/${id}`))[2] as { year: number }).year, 1);
  });

  test('that is undone already is not undone again, until the undo is undone', async () => {
    const headers = { Batch: `batch-${id}` };
    await ask('PUT', `/book/${id}`, { year: 1 }, headers);
    const path = `/batch/${headers.Batch}/undo`;
    const [, , first] = await ask('POST', path);
    const { batch } = first as { batch: string };
    const nothing = [200, 'Batch undone successfully', { batch: null, undone: 0, left: [], next: null }];
    assert.deepEqual(await ask('POST', path), nothing);
    assert.deepEqual((await ask('POST', path, {}, { Batch: batch }))[2], first);
    assert.equal(((await ask('POST', `/batch/${batch}/undo`))[2] as { undone: number }).undone, 1);
    assert.deepEqual(await ask('POST', `/batch/${batch}/undo`), nothing);
    assert.equal(((await ask('POST', path))[2] as { undone: number }).undone, 1);
    assert.deepEqual((await ask('GET', `/book/${id}`))[2], { id, ...emma });
  });

  test('of more than 1000 books is taken back in steps', async () => {
    const [, , data] = await ask('POST', '/books', Array<unknown>(1500).fill({}));
    const { ids, batch } = data as { ids: number[]; batch: string };
    const [, , first] = await ask('POST', `/batch/${batch}/undo`);
    const { batch: as, next } = first as { batch: string; next: number };
    assert.deepEqual(first, { batch: as, undone: 1000, left: [], next: ids[500] });
    const [, , second] = await ask('POST', `/batch/${batch}/undo`, { before: next }, { Batch: as });
    assert.deepEqual(second, { batch: as, undone: 500, left: [], next: null });
    assert.equal(((await ask('GET', `/batch/${as}`))[2] as { deleted: number }).deleted, 1500);
  });

  test('that no change belongs to is a 404', async () => {
    for (const batch of ['unknown-batch', 'x', '%00', '..%2fbooks', 'a'.repeat(100)]) {
      assert.deepEqual(await ask('GET', `/batch/${batch}`), [404, 'Not found', null]);
      for (const body of [undefined, '{', { before: 0 }])
        assert.deepEqual(await ask('POST', `/batch/${batch}/undo`, body), [404, 'Not found', null]);
      const another = { Batch: 'another-batch' };
      assert.deepEqual(await ask('POST', `/batch/${batch}/undo`, {}, another), [404, 'Not found', null]);
    }
  });

  for (const batch of ['1234567', 'x'.repeat(65), 'with space', 'a,b,c,d,e', '', 'é'.repeat(8)])
    test(`${JSON.stringify(batch)} in the header is a 400, after the other checks of each operation`, async () => {
      const headers = { Batch: batch };
      const invalid = [400, 'Invalid input', null];
      assert.deepEqual(await ask('PUT', '/book/999999', {}, headers), [404, 'Book not found', null]);
      assert.deepEqual(await ask('POST', '/book', emma, headers), invalid);
      assert.deepEqual(await ask('POST', '/books', [emma], headers), invalid);
      assert.deepEqual(await ask('PUT', `/book/${id}`, { year: 1 }, headers), invalid);
      assert.deepEqual(await ask('DELETE', `/book/${id}`, undefined, headers), invalid);
      assert.deepEqual(await ask('POST', `/book/${id}/revert`, {}, headers), invalid);
      assert.deepEqual((await ask('GET', `/book/${id}`))[2], { id, ...emma });
    });

  test('of an undo must be the one that its first step answered', async () => {
    const headers = { Batch: `batch-${id}` };
    await create(headers);
    for (const Batch of [headers.Batch, 'another-batch', 'undo-00000000000000000000-00000000'])
      assert.deepEqual(await ask('POST', `/batch/${headers.Batch}/undo`, {}, { Batch }), [
        400,
        'Invalid input',
        null,
      ]);
    for (const body of ['[]', '{', '{"before":0}', '{"before":"7"}', '{"before":1.5}'])
      assert.deepEqual(await ask('POST', `/batch/${headers.Batch}/undo`, body), [400, 'Invalid input', null]);
  });
});
