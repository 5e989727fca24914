import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Book } from '../../../src/catalogue/book.ts';
import { rankOf } from '../../../src/catalogue/ranking.ts';
import type { KeysetPosition } from '../../../src/catalogue/keyset-position.ts';
import { toFilter } from '../../../src/catalogue/query.ts';
import { runSync } from '../../../src/lib/gensync.ts';
import { findBest } from '../../../src/store/contract/best.ts';
import { rankingStore } from '../../../src/store/memory/best.ts';
import { storedBook } from '../../support/books.ts';

const filter = toFilter({ q: 'sea' });
const words = filter.best ?? assert.fail('a search without an order is by rank');

/** Reads all pages; the books may change between two of them. */
function readAll(booksOf: (page: number) => Book[], limit: number, most: number): number[] {
  const ids: number[] = [];
  let after: KeysetPosition | undefined;
  for (let i = 0; ; i++) {
    const page = runSync(findBest(rankingStore(booksOf(i), filter, words), words, limit, after, most));
    ids.push(...page.books.map(({ id }) => id));
    if (page.isLast) return ids;
    after = page.end;
  }
}

const titles = [
  'Calm Sea',
  'A Sea',
  'Sea (Tales)',
  'Land',
  'The Sea: A Story',
  'Of the Sea',
  'Sea Breeze',
  'Seaside',
  'By a Sea',
];
const books = titles.map((title, i) => storedBook(i + 1, { title, author: 'X' }));
const ranked = books
  .filter(({ title }) => title !== 'Land')
  .sort((a, b) => rankOf(words, a) - rankOf(words, b) || a.id - b.id)
  .map(({ id }) => id);

test('all matches are ranked while they are few enough, in pages of any length', () => {
  for (const limit of [1, 2, 3, 100])
    assert.deepEqual(
      readAll(() => books, limit, 8),
      ranked,
    );
});

test('with more matches, the titles that a query names come first, and the others follow by id', () => {
  const named = ranked.filter((id) => /^(?:(?:a|the) )?sea/i.test(titles[id - 1] ?? ''));
  for (const limit of [1, 2, 3, 100])
    assert.deepEqual(
      readAll(() => books, limit, 7),
      [...named, 1, 6, 9],
    );
});

test('a beginning of very many titles names only those that are equal to it', () => {
  const many = [
    ...books,
    ...Array.from({ length: 9 }, (_, i) => storedBook(20 + i, { title: `Sea Tale ${i}`, author: 'X' })),
  ];
  const sea = storedBook(40, { title: 'Sea', author: 'X' });
  assert.deepEqual(readAll(() => [...many, sea], 5, 7).slice(0, 3), [2, 40, 5]);
});

test('a listing goes on as it began when the matches become too many, or few, meanwhile', () => {
  const more = [...books, storedBook(30, { title: 'Sea Life', author: 'X' })];
  const grown = readAll((page) => (page === 0 ? books : more), 3, 8);
  assert.equal(new Set(grown).size, grown.length);
  assert.deepEqual(
    grown.filter((id) => id !== 30),
    ranked,
  );
  const fewer = books.slice(0, 8);
  const shrunk = readAll((page) => (page === 0 ? books : fewer), 3, 7);
  assert.equal(new Set(shrunk).size, shrunk.length);
  assert.deepEqual([...shrunk].sort(), [1, 2, 3, 5, 6, 7, 8]);
});

test('a listing ends with an error when its matches have become far too many to rank', () => {
  const first = runSync(findBest(rankingStore(books, filter, words), words, 1, undefined, 8));
  const many = Array.from({ length: 100 }, (_, i) => storedBook(i + 1, { title: `Sea ${i}`, author: 'X' }));
  assert.throws(() => runSync(findBest(rankingStore(many, filter, words), words, 1, first.end, 8)), {
    code: 'invalid_query',
    message: /the number of matches has changed too much; begin again without it/,
  });
});

test('a listing of the titles that a query names ends with an error when these have become too many', () => {
  const few = runSync(findBest(rankingStore(books, filter, words), words, 1, undefined, 7));
  assert.match(few.end?.order ?? '', /^[0-9a-f]{8}$/);
  const many = Array.from({ length: 20 }, (_, i) => storedBook(50 + i, { title: `Sea ${i}`, author: 'X' }));
  const store = rankingStore([...books, ...many], filter, words);
  assert.throws(() => runSync(findBest(store, words, 1, few.end, 7)), { code: 'invalid_query' });
});

test('a page of books is read at once after the first hundred, but not after long ones', () => {
  const sizesFor = (length: number) => {
    const authorOf = (i: number) => (i === 99 ? 'x'.repeat(length) : 'X');
    const all = Array.from({ length: 600 }, (_, i) =>
      storedBook(i + 1, { title: 'Sea', author: authorOf(i) }),
    );
    const store = rankingStore(all, filter, words);
    const sizes: number[] = [];
    const read = (ids: readonly number[]) => {
      sizes.push(ids.length);
      return store.read(ids);
    };
    runSync(findBest({ ...store, read }, words, 550, undefined));
    return sizes;
  };
  assert.deepEqual(sizesFor(1), [100, 500]);
  assert.deepEqual(sizesFor(2 ** 21), [100, 100]);
});
