import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, test } from 'node:test';
import type { Book } from '../../../src/catalogue/book.ts';
import { ShelflistError } from '../../../src/catalogue/errors.ts';
import type { Client } from '../../../src/client/client.ts';
import { BookWindow, countRows, pageLength, rowOf } from '../../../src/page/state/list.ts';
import { storedBook } from '../../support/books.ts';

/** A list of books by id, behind cursors, as the service has it. */
function createList(count: number) {
  const books = Array.from({ length: count }, (_, i) => storedBook(2 * i + 2));
  const asked: (string | undefined)[] = [];
  const read: Client['page'] = ({ limit = 0, after, count: isCounted }) => {
    asked.push(after);
    const rest = books.filter(({ id }) => id > Number(after ?? 0));
    const page = rest.slice(0, limit);
    return Promise.resolve({
      books: page,
      next: rest.length > limit ? String(page.at(-1)?.id) : undefined,
      total: isCounted === true ? books.length : undefined,
    });
  };
  return { books, asked, read };
}

/** Waits until a window has what a condition asks for. */
async function until(window: BookWindow, isDone: () => boolean): Promise<void> {
  const changes = new EventEmitter();
  const end = window.state.subscribe(() => changes.emit('change'));
  while (!isDone()) await once(changes, 'change');
  end();
}

const idsOf = (window: BookWindow) => {
  const { pages } = window.state.value;
  return pages.flatMap(({ books }) => books ?? []).map(({ id }: Book) => id);
};

describe('the window on a list behind cursors', () => {
  test('reads the first page with the number of all books, and one page ahead', async () => {
    const list = createList(1000);
    const window = new BookWindow(list.read);
    await window.open({});
    assert.equal(window.state.value.total, 1000);
    window.show(0, 20);
    await until(window, () => countRows(window.state.value.pages) === 2 * pageLength);
    assert.deepEqual(list.asked, [undefined, '200']);
  });

  test('keeps a bounded number of rows, each in its place, when somebody scrolls to the end and back', async () => {
    const list = createList(10_000);
    const window = new BookWindow(list.read);
    await window.open({});
    let most = 0;
    const end = window.state.subscribe(() => {
      most = Math.max(most, idsOf(window).length);
    });
    for (let row = 0; row < 10_000; row += 50) {
      window.show(row, row + 20);
      await until(window, () => window.bookAt(row + 20 < 10_000 ? row + 20 : 9999) !== undefined);
    }
    assert.equal(countRows(window.state.value.pages), 10_000);
    for (let row = 9950; row >= 0; row -= 50) {
      window.show(row, row + 20);
      await until(window, () => window.bookAt(row) !== undefined);
      assert.equal(window.bookAt(row)?.id, 2 * row + 2);
    }
    end();
    assert.ok(most <= 13 * pageLength, `${most} rows`);
  });

  for (const [what, change] of [
    ['added', (books: Book[]) => books.splice(30, 0, storedBook(61), storedBook(63), storedBook(65))],
    ['deleted', (books: Book[]) => books.splice(30, 3)],
    ['added in a page that is not in memory', (books: Book[]) => books.unshift(storedBook(1))],
  ] as const)
    test(`has no book twice and misses none after books are ${what}`, async () => {
      const list = createList(5000);
      const window = new BookWindow(list.read);
      await window.open({});
      for (let row = 0; row < 3000; row += 100) {
        window.show(row, row + 20);
        await until(window, () => window.bookAt(row + 20) !== undefined);
      }
      change(list.books);
      void window.refresh();
      await until(window, () => window.state.value.total === list.books.length);
      for (let row = 2900; row >= 0; row -= 50) {
        window.show(row, row + 20);
        await until(window, () => window.bookAt(row) !== undefined);
      }
      const known = countRows(window.state.value.pages);
      for (let row = 0; row < Math.min(known, 1200); row++) {
        window.show(row, row);
        await until(window, () => window.bookAt(row) !== undefined);
        assert.equal(window.bookAt(row)?.id, list.books[row]?.id);
      }
      const ids = idsOf(window);
      assert.equal(new Set(ids).size, ids.length);
    });

  test('a late page of an earlier query is dropped', async () => {
    const list = createList(300);
    const held: (() => void)[] = [];
    const window = new BookWindow(async (query, options) => {
      if (query.q === 'slow') await new Promise<void>((resolve) => held.push(resolve));
      return list.read(query, options);
    });
    const slow = window.open({ q: 'slow' });
    await window.open({ q: 'fast' });
    for (const release of held) release();
    await slow;
    assert.equal(window.state.value.query.q, 'fast');
  });

  test('keeps the last known number of books when the service cannot count them', async () => {
    const list = createList(50);
    let isCounted = true;
    const window = new BookWindow(async (query, options) => {
      const page = await list.read(query, options);
      return isCounted ? page : { ...page, total: undefined };
    });
    await window.open({});
    isCounted = false;
    await window.refresh();
    assert.equal(window.state.value.total, 50);
  });

  test('begins again when its cursors are refused, and fails when the new ones are, too', async () => {
    const list = createList(300);
    let refused = 0;
    let isRefused = false;
    const window = new BookWindow((query, options) => {
      if (query.after === undefined || !isRefused) return list.read(query, options);
      isRefused = ++refused !== 1 && refused !== 4;
      return Promise.reject(new ShelflistError('invalid_query'));
    });
    await window.open({});
    await until(window, () => countRows(window.state.value.pages) === 200);
    isRefused = true; // Once: the order by title has changed.
    await window.refresh();
    window.show(200, 220);
    await until(window, () => window.bookAt(220) !== undefined);
    assert.deepEqual([refused, window.state.value.error], [1, undefined]);
    isRefused = true;
    await window.refresh();
    await until(window, () => window.state.value.error !== undefined);
    assert.equal(refused, 3);
  });

  test('a change of a book is shown at once', async () => {
    const list = createList(10);
    const window = new BookWindow(list.read);
    await window.open({});
    window.change(4, (book) => ({ ...book, title: 'New' }));
    assert.equal(window.bookAt(1)?.title, 'New');
    window.change(4, () => undefined);
    assert.equal(rowOf(window.state.value.pages, 4), -1);
    assert.equal(window.state.value.total, 9);
  });
});
