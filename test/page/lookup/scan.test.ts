import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BookFields } from '../../../src/catalogue/book.ts';
import { ShelflistError } from '../../../src/catalogue/errors.ts';
import { Scan, type ScanClient } from '../../../src/page/lookup/scan.ts';

const emma = '9780141439587';
const persuasion = '9780140620108';
const books: Readonly<Record<string, BookFields>> = {
  [emma]: { title: 'Emma', author: 'Jane Austen', year: 2003 },
};

/** A catalogue in memory, with the books that it has already. */
function fakeClient(has: readonly BookFields[] = []) {
  const created: { book: BookFields; batch: string | undefined }[] = [];
  const undone: string[] = [];
  let failures = 0;
  let undoing: Promise<void> | undefined;
  const client: ScanClient = {
    lookUpIsbn: (isbn) => {
      if (failures-- > 0) return Promise.reject(new ShelflistError('unavailable'));
      const book = books[isbn];
      return book ? Promise.resolve(book) : Promise.reject(new ShelflistError('book_not_found'));
    },
    lookup: (wanted) =>
      Promise.resolve(
        wanted.map((each) => {
          const at = has.findIndex((book) => 'title' in each && book.title === each.title);
          const found = has[at];
          return found && { id: at + 1, ...found };
        }),
      ),
    create: (book, options) => {
      created.push({ book: book as BookFields, batch: options?.batch });
      return Promise.resolve({ id: created.length, ...(book as BookFields) });
    },
    undo: async (batch) => {
      undone.push(batch);
      await undoing;
      return { batch: undefined, undone: 0, left: [] };
    },
  };
  return {
    client,
    created,
    undone,
    fail: (times: number) => {
      failures = times;
    },
    /** Lets undo wait for a promise. */
    undoAfter: (promise: Promise<void>) => {
      undoing = promise;
    },
  };
}

async function settled(scan: Scan): Promise<void> {
  while (scan.isBusy) await new Promise(setImmediate);
}

const statesOf = (scan: Scan) => scan.items.map(({ isbn, state }) => `${isbn} ${state}`);
describe('scanned numbers', () => {
  test('are added as one batch, newest first, and one undo takes them back', async () => {
    const { client, created, undone } = fakeClient();
    const scan = new Scan(client);
    scan.scan('0-14-143958-0');
    scan.scan('9780141439588');
    await settled(scan);
    assert.deepEqual(statesOf(scan), ['9780141439588 wrong', `${emma} added`]);
    assert.deepEqual(
      created.map(({ book }) => book),
      [books[emma]],
    );
    await scan.undo();
    assert.deepEqual([undone, scan.items], [[created[0]?.batch], []]);
  });

  test('are taken once, also from a list', async () => {
    const { client, created } = fakeClient();
    const scan = new Scan(client);
    assert.deepEqual(scan.scan(`${emma}\r\n\r\n${emma}\n`), [emma]);
    assert.deepEqual(scan.scan('0141439580'), [emma]);
    await settled(scan);
    assert.equal(created.length, 1);
  });

  test('that are unknown wait until their book is typed', async () => {
    const { client, created } = fakeClient();
    const scan = new Scan(client);
    scan.scan(persuasion);
    await settled(scan);
    const [item] = scan.items;
    assert.ok(item);
    assert.equal(item.state, 'unknown');
    scan.add(item, { title: 'Persuasion', author: '', year: 1817 });
    await settled(scan);
    assert.deepEqual(statesOf(scan), [`${persuasion} added`]);
    assert.equal(created[0]?.book.title, 'Persuasion');
  });

  test('of a book that the catalogue has are added only on request', async () => {
    const { client, created } = fakeClient(Object.values(books));
    const scan = new Scan(client);
    scan.scan(emma);
    await settled(scan);
    const [item] = scan.items;
    assert.ok(item?.book);
    assert.deepEqual([item.state, created.length], ['present', 0]);
    scan.add(item, item.book);
    await settled(scan);
    assert.deepEqual([statesOf(scan), created.length], [[`${emma} added`], 1]);
  });

  test('that could not be looked up can be tried again', async () => {
    const { client, fail } = fakeClient();
    const scan = new Scan(client);
    fail(1);
    scan.scan(emma);
    await settled(scan);
    const [item] = scan.items;
    assert.equal(item?.state, 'failed');
    scan.retry(item);
    await settled(scan);
    assert.deepEqual(statesOf(scan), [`${emma} added`]);
  });

  test('that are scanned while an undo runs are added after it, as another batch', async () => {
    const { client, created, undone, undoAfter } = fakeClient();
    const scan = new Scan(client);
    scan.scan(emma);
    await settled(scan);
    let resolve!: () => void;
    undoAfter(
      new Promise((done) => {
        resolve = done;
      }),
    );
    const undo = scan.undo();
    assert.deepEqual(scan.scan(emma), []);
    await new Promise(setImmediate);
    assert.deepEqual([statesOf(scan), created.length], [[`${emma} waiting`], 1]);
    resolve();
    await undo;
    await settled(scan);
    assert.deepEqual(statesOf(scan), [`${emma} added`]);
    await scan.undo();
    assert.deepEqual(
      created.map(({ batch }) => batch),
      undone,
    );
    assert.equal(new Set(undone).size, 2);
  });

  test('that are scanned while an undo fails join the others, and the next undo takes all back', async () => {
    const { client, created, undone, undoAfter } = fakeClient();
    const scan = new Scan(client);
    scan.scan(emma);
    await settled(scan);
    undoAfter(Promise.reject(new ShelflistError('unavailable')));
    const undo = scan.undo();
    scan.scan(persuasion);
    await assert.rejects(undo, { code: 'unavailable' });
    await settled(scan);
    assert.deepEqual(statesOf(scan), [`${persuasion} unknown`, `${emma} added`]);
    undoAfter(Promise.resolve());
    await scan.undo();
    assert.deepEqual([undone, scan.items], [[created[0]?.batch, created[0]?.batch], []]);
  });
});
