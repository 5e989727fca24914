import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BookFields } from '../../src/catalogue/book.ts';
import { ShelflistError } from '../../src/catalogue/errors.ts';
import type { BookRow } from '../../src/import/row.ts';
import { importBooks } from '../../src/import/import-books.ts';
import { ChunkWriter, type ImportClient, type OnDuplicate } from '../../src/import/write-chunk.ts';
import { bookOf } from '../support/books.ts';

const row = (title: string, line: number): BookRow => ({
  line,
  unit: 'line',
  original: title,
  fields: bookOf({ title }),
});

interface Call {
  readonly titles: readonly string[];
  readonly key: string | undefined;
}

/** A client that stores what it is given, and the calls that it got. */
function fakeClient(overrides: Partial<ImportClient> = {}) {
  const created: Call[] = [];
  let id = 0;
  const client: ImportClient = {
    lookup: (wanted) => Promise.resolve(wanted.map(() => undefined)),
    createMany: (books, options) => {
      created.push({ titles: books.map(({ title = '' }) => title), key: options?.idempotencyKey });
      return Promise.resolve({ ids: books.map(() => ++id), rejected: [], batch: options?.batch ?? '' });
    },
    getTagged: () => Promise.reject(new Error('not used')),
    update: () => Promise.reject(new Error('not used')),
    ...overrides,
  };
  return { client, created };
}

function writerOf(client: ImportClient, onDuplicate: OnDuplicate, onFailure?: () => Promise<void>) {
  return new ChunkWriter({
    client,
    batch: 'batch-of-test',
    onDuplicate,
    dryRun: false,
    signal: new AbortController().signal,
    onFailure,
    onChange: () => undefined,
  });
}

/** Plans a chunk, and writes it. */
async function write(writer: ChunkWriter, rows: readonly BookRow[]) {
  return writer.write(await writer.plan(rows));
}

test('a book that is deleted before its row updates it rejects this row only', async () => {
  const { client, created } = fakeClient({
    lookup: (wanted) =>
      Promise.resolve(
        wanted.map((each) => {
          const { title } = each as BookFields;
          return title === 'EMMA' ? { id: 7, ...bookOf({ title: 'Emma' }) } : undefined;
        }),
      ),
    update: () => Promise.reject(new ShelflistError('book_not_found')),
  });
  const { results } = await write(writerOf(client, 'update'), [row('EMMA', 2), row('Orlando', 3)]);
  assert.deepEqual(results, [{ problem: { code: 'deletedMeanwhile', id: 7 } }, 'added']);
  assert.deepEqual(
    created.map(({ titles }) => titles),
    [['Orlando']],
  );
});

test('a chunk is planned while the one before is written, unless it repeats one of its rows', async () => {
  let store = (): void => undefined;
  const stored = new Promise<void>((resolve) => (store = resolve));
  const { client } = fakeClient();
  const createMany: typeof client.createMany = async (books, options) => {
    if (books[0]?.title === 'Emma') await stored;
    return client.createMany(books, options);
  };
  const writer = writerOf({ ...client, createMany }, 'skip');
  const first = writer.write(await writer.plan([row('Emma', 2)]));
  assert.equal((await writer.plan([row('Orlando', 3)])).length, 1);
  const second = writer.plan([row('EMMA', 4), row('Persuasion', 5)]);
  store();
  assert.deepEqual((await first).results, ['added']);
  assert.deepEqual((await writer.write(await second)).results, ['skipped', 'added']);
});

test('a row that repeats a refused one of the chunk before is sent, and refused, too', async () => {
  const { client } = fakeClient();
  const createMany = () => Promise.reject(new ShelflistError('invalid_input', { message: 'no' }));
  const writer = writerOf({ ...client, createMany }, 'skip');
  const refused = { problem: { code: 'refused', message: 'no' } };
  const first = writer.write(await writer.plan([row('Emma', 2)]));
  const second = await writer.plan([row('EMMA', 3)]);
  assert.deepEqual((await first).results, [refused]);
  assert.deepEqual((await writer.write(second)).results, [refused]);
});

test('rows that repeat in the file, also in a later chunk, are found without the catalogue', async () => {
  const { client, created } = fakeClient();
  const writer = writerOf(client, 'skip');
  assert.deepEqual((await write(writer, [row('Emma', 2), row('emma', 3)])).results, ['added', 'skipped']);
  assert.deepEqual((await write(writer, [row('EMMA', 4), row('Orlando', 5)])).results, ['skipped', 'added']);
  assert.deepEqual(created, [
    { titles: ['Emma'], key: 'batch-of-test.0' },
    { titles: ['Orlando'], key: 'batch-of-test.1' },
  ]);
});

test('after a failure a chunk is sent again with the same key and the same books', async () => {
  const sent: Call[] = [];
  const { client } = fakeClient();
  const { createMany } = client;
  let failures = 2;
  const failing: ImportClient = {
    ...client,
    createMany: (books, options) => {
      sent.push({ titles: books.map(({ title = '' }) => title), key: options?.idempotencyKey });
      return failures-- > 0 ? Promise.reject(new ShelflistError('unreachable')) : createMany(books, options);
    },
  };
  const writer = writerOf(failing, 'add', () => Promise.resolve());
  assert.deepEqual((await write(writer, [row('Emma', 2)])).results, ['added']);
  assert.deepEqual(
    sent,
    Array.from({ length: 3 }, () => ({ titles: ['Emma'], key: 'batch-of-test.0' })),
  );
  assert.deepEqual(writer.ids, [1]);
});

test('a chunk that exceeds the limit of the service is sent in parts, each with a key of its own', async () => {
  const { client, created } = fakeClient();
  const { createMany } = client;
  const limited: ImportClient = {
    ...client,
    createMany: (books, options) =>
      books.length > 1 || books[0]?.title === 'too long'
        ? Promise.reject(new ShelflistError('body_too_large', { message: 'too large' }))
        : createMany(books, options),
  };
  const { results } = await write(writerOf(limited, 'add'), [row('A', 2), row('too long', 3), row('B', 4)]);
  assert.deepEqual(results, ['added', { problem: { code: 'refused', message: 'too large' } }, 'added']);
  assert.deepEqual(created, [
    { titles: ['A'], key: 'batch-of-test.0aa' },
    { titles: ['B'], key: 'batch-of-test.0b' },
  ]);
});

test('a chunk whose books are too long for one answer is looked up in parts, and each row finds its book', async () => {
  const asked: number[] = [];
  const { client, created } = fakeClient({
    lookup: (wanted) => {
      asked.push(wanted.length);
      if (wanted.length > 2) return Promise.reject(new ShelflistError('body_too_large'));
      const known = (title = '') => (title < 'c' ? { id: 1, ...bookOf({ title }) } : undefined);
      return Promise.resolve(wanted.map((each) => ('title' in each ? known(each.title) : undefined)));
    },
  });
  const rows = ['c', 'a', 'd', 'b', 'e'].map((title, i) => row(title, i + 2));
  const { results } = await write(writerOf(client, 'skip'), rows);
  assert.deepEqual(asked, [5, 3, 2, 1, 2]);
  assert.deepEqual(results, ['added', 'skipped', 'added', 'skipped', 'added']);
  assert.deepEqual(created[0]?.titles, ['c', 'd', 'e']);
});

test('of a chunk that fails in the middle, the rows that are done are said to be done', async () => {
  const { client } = fakeClient({
    lookup: (wanted) =>
      Promise.resolve(
        wanted.map((each) =>
          'title' in each && each.title === 'EMMA' ? { id: 7, ...bookOf({ title: 'Emma' }) } : undefined,
        ),
      ),
    update: () => Promise.reject(new ShelflistError('unreachable')),
  });
  const { results, failure } = await write(writerOf(client, 'update'), [row('EMMA', 2), row('Orlando', 3)]);
  assert.deepEqual(results, [undefined, 'added']);
  assert.ok(failure?.error instanceof ShelflistError);
});

test('a failure that lasts longer than the service keeps a key ends the import: a repeat could add books twice', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  let calls = 0;
  const { client } = fakeClient({
    createMany: () => {
      calls++;
      return Promise.reject(new ShelflistError('unreachable'));
    },
  });
  const sleep = () => {
    t.mock.timers.setTime(Date.now() + 24 * 3_600_000);
    return Promise.resolve();
  };
  const { results, failure } = await write(writerOf(client, 'add', sleep), [row('Emma', 2)]);
  assert.deepEqual([results, calls], [[undefined], 1]);
  assert.ok(failure?.error instanceof ShelflistError);
});

test('an import that is stopped sends no other chunk, and counts the one on its way', async () => {
  const stop = new AbortController();
  const { client, created } = fakeClient();
  const { createMany } = client;
  async function* rows() {
    for (let line = 2; line < 2502; line++) yield await Promise.resolve(row(`Book ${line}`, line));
  }
  const report = await importBooks({
    client: {
      ...client,
      createMany: (books, options) => {
        stop.abort();
        return createMany(books, options);
      },
    },
    batch: 'batch-of-test',
    onDuplicate: 'add',
    dryRun: false,
    signal: stop.signal,
    open: rows,
  });
  assert.deepEqual([created.length, report.added], [1, created[0]?.titles.length]);
});

test('an import counts what it has added also when a row that was left out cannot be noted', async () => {
  const { client } = fakeClient();
  async function* rows() {
    yield await Promise.resolve<BookRow>({
      line: 2,
      unit: 'line',
      original: '',
      problem: { code: 'notJson' },
    });
    yield row('Emma', 3);
  }
  const report = await importBooks({
    client,
    batch: 'batch-of-test',
    onDuplicate: 'add',
    dryRun: false,
    signal: new AbortController().signal,
    open: rows,
    onResult: () => Promise.reject(new Error('the disk is full')),
  });
  assert.deepEqual([report.added, report.rejected], [1, 1]);
  assert.match(String(report.failure), /the disk is full/);
});
