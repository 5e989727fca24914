import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { open as openLmdb } from 'lmdb';
import { openStore, type BookQuery, type BookStore } from '../../../src/index.ts';
import { indexAll } from '../../support/embedded-index.ts';
import { temporaryFolder } from '../../support/temp.ts';

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

/** A folder with three books, all of them in the index, and nobody who has it open. */
async function indexedFolder(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${folder}`);
  for (const title of ['Emma', 'Persuasion', 'Lady Susan']) await store.create({ ...emma, title });
  await store.close();
  await indexAll(folder);
  return folder;
}

/** Writes past the store. */
async function writeRaw(folder: string, database: string, key: unknown, value: unknown): Promise<void> {
  const environment = openLmdb({ path: folder, noSubdir: false });
  const encoding = database === 'meta' ? 'json' : database === 'index' ? 'binary' : 'string';
  await environment.openDB({ name: database, encoding }).put(key as string, value);
  await environment.close();
}

async function idsOf(store: BookStore, query: BookQuery): Promise<number[]> {
  const { books } = await store.find(query, { limit: 10 });
  assert.equal(await store.count(query), books.length);
  return books.map(({ id }) => id);
}

describe('an index that others have passed by is made anew when the store is opened', () => {
  const renamed = JSON.stringify({ id: 2, ...emma, title: 'Renamed' });
  const table: [
    what: string,
    change: (folder: string) => Promise<void>,
    questions: [BookQuery, number[]][],
  ][] = [
    [
      'a book was changed by version 1, which knows none',
      async (folder) => {
        await writeRaw(folder, 'books', 2, renamed);
        await writeRaw(folder, 'meta', 'format', 'shelflist 1');
      },
      [
        [{ q: 'renamed' }, [2]],
        [{ q: 'persuasion' }, []],
        [{ sort: 'title' }, [1, 3, 2]],
      ],
    ],
    [
      'a book was put there',
      (folder) => writeRaw(folder, 'books', 40, JSON.stringify({ id: 40, ...emma, title: 'Sanditon' })),
      [
        [{ q: 'sanditon' }, [40]],
        [{ sort: '-title' }, [40, 2, 3, 1]],
      ],
    ],
    [
      'what it says of itself is no index',
      (folder) => writeRaw(folder, 'meta', 'indexed', { upTo: 'x' }),
      [[{ q: 'emma' }, [1]]],
    ],
  ];
  for (const [what, change, questions] of table) {
    test(what, async (t) => {
      const folder = await indexedFolder(t);
      await change(folder);
      const store = await openStore(`file:${folder}`);
      t.after(() => store.close());
      for (const [query, ids] of questions) assert.deepEqual(await idsOf(store, query), ids);
      await indexAll(folder);
      for (const [query, ids] of questions) assert.deepEqual(await idsOf(store, query), ids);
    });
  }
});

test('an entry that is damaged keeps no change out of the index', async (t) => {
  const folder = await indexedFolder(t);
  await writeRaw(folder, 'index', [0, 'title', 'emma'], Buffer.alloc(0));
  const store = await openStore(`file:${folder}`);
  t.after(() => store.close());
  await store.update(1, { title: 'Changed' });
  await indexAll(folder);
  assert.deepEqual(await idsOf(store, { q: 'changed' }), [1]);
  assert.deepEqual(await idsOf(store, { title: 'emma' }), []);
});

test('what was changed and taken out leaves nothing behind', async (t) => {
  const folder = await indexedFolder(t);
  const store = await openStore(`file:${folder}`);
  t.after(() => store.close());
  await store.update(1, { title: 'Emma, again', year: 1816 });
  for (const id of [1, 2, 3]) await store.delete(id);
  await indexAll(folder);
  const environment = openLmdb({ path: folder, noSubdir: false });
  t.after(() => environment.close());
  assert.deepEqual([...environment.openDB({ name: 'index', encoding: 'binary' }).getKeys()], []);
  assert.deepEqual([...environment.openDB({ name: 'changed', encoding: 'string' }).getKeys()], []);
  const meta = environment.openDB({ name: 'meta', encoding: 'json' });
  assert.deepEqual(meta.get('indexed'), { upTo: 3, books: 0, segments: [] });
});
