import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openStore, type Book, type BookQuery } from '../../../src/index.ts';
import { statistics, suggest } from '../../../src/store/questions/fallback.ts';
import { bookOf } from '../../support/books.ts';
import { changeFile } from '../../support/sqlite-file.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { sized } from '../../support/size.ts';

/** More than the number of books that are all read for suggestions. */
const total = sized({ short: 20_000, long: 60_000 });
const store = await openStore(`file:${await temporaryFolder({ after })}`);
after(() => store.close());

/** A few authors have many books, and most have few. The pattern repeats, as in an import of the same file. */
function authorOf(i: number): string {
  if (i % 25 === 1) return i % 2 === 0 ? 'Piet Even' : 'Piet Odd';
  return `Author ${Math.floor(5000 / (1 + ((i * 7919) % 5000)))} van ${(i % 37) + 1}x`;
}
const books: Book[] = [];
for (let start = 0; start < total; start += 1000) {
  const fields = Array.from({ length: 1000 }, (_, n) => {
    const i = start + n;
    return bookOf({ title: `Volume ${i} of ${i % 50}`, author: authorOf(i), year: (i % 300) - 20 });
  });
  const { ids } = await store.createMany(fields);
  for (const [n, each] of fields.entries()) books.push({ id: ids[n] ?? 0, ...each });
}
const counts = new Map<string, number>();
for (const { author } of books) counts.set(author, (counts.get(author) ?? 0) + 1);

describe(`a catalogue of ${total} books`, () => {
  const queries: BookQuery[] = [
    {},
    { q: 'volume' },
    { q: 'volume author', yearFrom: 5 },
    { yearFrom: 100, yearTo: 110 },
    { yearFrom: -5 },
    { titleWords: '7', authorWords: 'van' },
    { q: 'volume 123' },
    { author: 'author 1 van 5x', yearTo: 50 },
  ];
  for (const query of queries) {
    test(`the statistics are exact: ${JSON.stringify(query)}`, async () => {
      assert.deepEqual(await store.statistics(query), statistics(books, query));
    });
  }

  for (const text of ['', 'author', 'a v', '1 van', '17', 'van 3', '20x author']) {
    test(`the most frequent authors are suggested, with exact counts: ${JSON.stringify(text)}`, async () => {
      const best = suggest(books, 'author', text, 10);
      const found = await store.suggest('author', text, { limit: 10 });
      for (const { value, count } of found) assert.equal(counts.get(value), count, value);
      assert.equal(found.length, best.length);
      // In a large catalogue the choice is not exact: each is at least half as frequent as the one in its place.
      for (const [i, { count }] of found.entries()) assert.ok(2 * count >= (best[i]?.count ?? 0));
    });
  }

  test('authors whose books repeat at regular distances are suggested', async () => {
    const count = total / 50;
    const authors = ['Piet Even', 'Piet Odd'].map((value) => ({ value, count }));
    assert.deepEqual(await store.suggest('author', 'piet', { limit: 10 }), authors);
  });

  test('an author is suggested by a part of a word, as a search finds it', async () => {
    for (const author of ["Flann O'Brien", '村上春樹']) await store.create(bookOf({ author }));
    for (const [text, value] of [
      ['brien', "Flann O'Brien"],
      ['fl brien', "Flann O'Brien"],
      ['春樹', '村上春樹'],
    ] as const)
      assert.deepEqual(await store.suggest('author', text, { limit: 10 }), [{ value, count: 1 }], text);
  });

  test('an author is suggested by a part of a word and another word, among many whose words match', async () => {
    const createAll = (author: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => store.create(bookOf({ author }))));
    const added = [await createAll('Flann Brien', 1000), await createAll("Flann O'Brien", 1999)].flat();
    assert.deepEqual(await store.suggest('author', 'flann brien', { limit: 10 }), [
      { value: "Flann O'Brien", count: 2000 },
      { value: 'Flann Brien', count: 1000 },
    ]);
    await Promise.all(added.map(({ id }) => store.delete(id)));
  });

  test('after most books are deleted, every author that is left is suggested', async () => {
    const first = books[0]?.id ?? 0;
    for (let id = first; id < first + total; id += 1000)
      await Promise.all(
        Array.from({ length: 1000 }, async (_, n) => {
          if ((id + n) % 10_000 !== 0) await store.delete(id + n);
        }),
      );
    assert.equal(
      (await store.suggest('author', '', { limit: 10 })).length,
      Math.min(10, await store.count({})),
    );
  });
});

test('authors of a catalogue whose first ids are all gone are suggested', async (t) => {
  const folder = await temporaryFolder(t);
  await (await openStore(`file:${folder}`)).close();
  changeFile(folder, `INSERT INTO sqlite_sequence VALUES ('books', ${150 * total})`);
  const later = await openStore(`file:${folder}`);
  t.after(() => later.close());
  for (let start = 0; start < total; start += 5000)
    await Promise.all(
      Array.from({ length: 5000 }, (_, i) =>
        later.create(bookOf({ title: 'x', author: i % 50 === 0 ? 'Jane Austen' : `Author ${i % 49}` })),
      ),
    );
  const jane = [{ value: 'Jane Austen', count: total / 50 }];
  assert.deepEqual(await later.suggest('author', 'jane', { limit: 3 }), jane);
  assert.deepEqual(await later.suggest('author', 'jane austen', { limit: 3 }), jane);
  assert.equal((await later.suggest('author', '', { limit: 3 })).length, 3);
});
