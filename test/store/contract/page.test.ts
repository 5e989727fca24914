import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toFilter } from '../../../src/catalogue/query.ts';
import { positionOf } from '../../../src/catalogue/sort-keys.ts';
import {
  checkOrder,
  checkPageRequest,
  createPage,
  cutToPage,
  endOf,
  fillPage,
  maxBooks,
  maxCharacters,
  pageInOrder,
  type PageRequest,
} from '../../../src/store/contract/page.ts';
import { storedBook } from '../../support/books.ts';

const short = Array.from({ length: 4 }, (_, i) => storedBook(i + 1, { title: `Book ${4 - i}`, author: 'X' }));
const half = 'x'.repeat(maxCharacters / 2);

describe('the request of a page', () => {
  for (const limit of [1, 1000, 5000])
    test(`with the limit ${limit} passes`, () => {
      const request = { limit };
      assert.equal(checkPageRequest(request), request);
    });
  const refused = [
    undefined,
    {},
    { limit: 0 },
    { limit: -1 },
    { limit: 1.5 },
    { limit: '1' },
    { limit: NaN },
  ];
  for (const request of refused)
    test(`${JSON.stringify(request)} is refused, with an example`, () => {
      assert.throws(() => checkPageRequest(request as PageRequest), {
        code: 'invalid_query',
        message: /page\.limit must be a whole number, 1 or more; for example \{ limit: 100 \}/,
      });
    });
});

test('a page continues only the order that it began with', () => {
  const after = { key: 'a', id: 1, order: '0a1b2c3d' };
  checkOrder(undefined, 'other');
  checkOrder(after, '0a1b2c3d');
  checkOrder({ key: 'a', id: 1 }, undefined);
  for (const [position, order] of [
    [after, 'other'],
    [after, undefined],
    [{ key: 'a', id: 1 }, 'other'],
  ] as const)
    assert.throws(() => { checkOrder(position, order); }, { code: 'invalid_query', message: /the sort order has changed; begin again without it/ }); // prettier-ignore
});

describe('a page is full', () => {
  test('with the books of its limit, and with a thousand at most', () => {
    const page = createPage(2);
    assert.equal(page.maxBooks, 2);
    for (const [i, book] of short.slice(0, 2).entries()) {
      assert.equal(page.isFull, false, String(i));
      page.add(book);
    }
    assert.equal(page.isFull, true);
    assert.deepEqual(page.books, short.slice(0, 2));
    assert.deepEqual([createPage(5000).maxBooks, createPage().maxBooks], [maxBooks, maxBooks]);
  });

  test('once its texts have a million characters, however few its books', () => {
    const long = [1, 2, 3].map((id) => storedBook(id, { title: half, author: '' }));
    assert.deepEqual(
      fillPage(long).books.map(({ id }) => id),
      [1, 2],
    );
    assert.equal(fillPage(long).isLast, false);
    assert.equal(fillPage(long.slice(0, 2)).isLast, true);
  });
});

test('a page is the last one if nothing follows it', () => {
  assert.deepEqual(fillPage(short, 4), { books: short, isLast: true });
  assert.deepEqual(fillPage(short, 3), { books: short.slice(0, 3), isLast: false });
  assert.deepEqual(fillPage([]), { books: [], isLast: true });
});

test('items are cut once they have a million characters, after the one that reaches them', () => {
  const cut = (...lengths: number[]) => cutToPage(lengths, (length) => length);
  assert.deepEqual(cut(1, 2, 3), [1, 2, 3]);
  assert.deepEqual(cut(maxCharacters - 1, 1, 7), [maxCharacters - 1, 1]);
  assert.deepEqual(cut(maxCharacters, 1), [maxCharacters]);
  assert.deepEqual(cut(maxCharacters - 1), [maxCharacters - 1]);
});

test('the end of a page is the position of its last book, unless the store names another', () => {
  const query = { sort: 'title' } as const;
  const position = (id: number) => positionOf(toFilter(query), short[id - 1] ?? assert.fail());
  assert.equal(endOf(query, { books: [], isLast: true }), undefined);
  assert.deepEqual(endOf(query, { books: short.slice(0, 3), isLast: false }), position(3));
  const end = { key: 'other', id: 2 };
  assert.equal(endOf(query, { books: short, isLast: false, end }), end);
});

test('books that match come in the order of their positions, page by page', () => {
  const filter = toFilter({ sort: 'title', author: 'X' });
  const others = [...short, storedBook(9, { title: 'Book 0', author: 'Y' })];
  const positionOfBook = (book: (typeof short)[number]) => positionOf(filter, book);
  const first = pageInOrder(others, filter, { limit: 3 }, positionOfBook);
  assert.deepEqual([first.books.map(({ id }) => id), first.isLast, first.end?.id], [[4, 3, 2], false, 2]);
  const second = pageInOrder(others, filter, { limit: 3, after: first.end }, positionOfBook);
  assert.deepEqual([second.books.map(({ id }) => id), second.isLast, second.end?.id], [[1], true, 1]);
  const none = pageInOrder(others, filter, { limit: 3, after: second.end }, positionOfBook);
  assert.deepEqual(none, { books: [], isLast: true, end: undefined });
});
