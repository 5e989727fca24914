import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, test } from 'node:test';
import type { Book } from '../../../src/catalogue/book.ts';
import { ShelflistError } from '../../../src/catalogue/errors.ts';
import type { Client } from '../../../src/client/client.ts';
import { BookWindow, countRows, pageLength, rowOf, shownQuery } from '../../../src/page/state/list.ts';
import { storedBook } from '../../support/books.ts';

/** A list of books by id, behind cursors, as the service has it. */
function createList(count: number) {
  const books = Array.from({ length: count }, (_, i) => storedBook(2 * i + 2));
  const asked: (string | undefined)[] = [];
  const read: Client['page'] = ({ limit = 0, after, count: isCounted } = {}) => {
    asked.push(after);
    const rest = books.filter(({ id }) => id > Number(after ?? 0));
    const page = rest.slice(0, limit);
    return Promise.resolve({
      items: page,
      next: rest.length > limit ? String(page.at(-1)?.id) : undefined,
      total: isCounted === true ? books.length : undefined,
    });
  };
  return { books, asked, read };
}

/** A window on a list, and on the corrections of its words. */
const windowOn = (page: Client['page'], corrections: Client['corrections'] = () => Promise.resolve([])) =>
  new BookWindow({ page, corrections });

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
    const window = windowOn(list.read);
    await window.open({});
    assert.equal(window.state.value.total, 1000);
    window.show(0, 20);
    await until(window, () => countRows(window.state.value.pages) === 2 * pageLength);
    assert.deepEqual(list.asked, [undefined, '200']);
  });

  test('keeps a bounded number of rows, each in its place, when somebody scrolls to the end and back', async () => {
    const list = createList(10_000);
    const window = windowOn(list.read);
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

  test('reads the books of rows that are not in memory, as far as the list has them', async () => {
    const list = createList(2500);
    const window = windowOn(list.read);
    await window.open({});
    const { signal } = new AbortController();
    const read = async (row: number, count: number) =>
      (await window.booksFrom(row, count, signal)).map(({ id }) => id);
    assert.deepEqual(await read(98, 2), [198, 200]);
    const all = await read(98, 5000);
    assert.deepEqual([all.length, all[0], all[2], all.at(-1)], [2402, 198, 202, 5000]);
    assert.deepEqual(await read(99, 3), [200, 202, 204]);
  });

  test('reads long pages on the way to a far row, and its rows again after a change', async () => {
    const list = createList(30_000);
    const window = windowOn(list.read);
    await window.open({});
    window.show(29_980, 30_000);
    await until(window, () => window.bookAt(29_999) !== undefined);
    assert.ok(list.asked.length < 50, `${list.asked.length} requests`);
    assert.equal(countRows(window.state.value.pages), 30_000);
    list.books.splice(29_990, 1);
    await window.refresh();
    await until(window, () => window.bookAt(29_990)?.id === list.books[29_990]?.id);
    assert.equal(countRows(window.state.value.pages), 29_999);
  });

  for (const [what, change] of [
    ['added', (books: Book[]) => books.splice(30, 0, storedBook(61), storedBook(63), storedBook(65))],
    ['deleted', (books: Book[]) => books.splice(30, 3)],
    ['added in a page that is not in memory', (books: Book[]) => books.unshift(storedBook(1))],
  ] as const)
    test(`has no book twice and misses none after books are ${what}`, async () => {
      const list = createList(5000);
      const window = windowOn(list.read);
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
    const window = windowOn(async (query, options) => {
      if (query?.q === 'slow') await new Promise<void>((resolve) => held.push(resolve));
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
    const window = windowOn(async (query, options) => {
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
    const window = windowOn((query, options) => {
      if (query?.after === undefined || !isRefused) return list.read(query, options);
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
    const window = windowOn(list.read);
    await window.open({});
    window.change(4, (book) => ({ ...book, title: 'New' }));
    assert.equal(window.bookAt(1)?.title, 'New');
    window.change(4, () => undefined);
    assert.equal(rowOf(window.state.value.pages, 4), -1);
    assert.equal(window.state.value.total, 9);
  });
});

describe('a list whose words no book has', () => {
  /** Books by their titles, which a word of `q` finds, and corrections of `hary` and `po`. */
  function createCatalogue(...titles: string[]) {
    const asked: string[] = [];
    const page: Client['page'] = ({ q = '', limit = 0, count } = {}) => {
      asked.push(`${q} ${limit}`);
      const books = titles.flatMap((title, i) => (title.includes(q) ? [storedBook(i + 1, { title })] : []));
      const total = count === true ? books.length : undefined;
      return Promise.resolve({ items: books, next: undefined, total });
    };
    const corrections: Client['corrections'] = ({ q }) =>
      Promise.resolve(q === 'hary' ? [{ q: 'harry' }, { q: 'hardy' }] : []);
    return { titles, asked, page, corrections, window: windowOn(page, corrections) };
  }
  const shownBy = ({ state: { value } }: BookWindow) => [
    shownQuery(value).q,
    value.total,
    ...value.pages.flatMap(({ books = [] }) => books.map(({ title }) => title)),
  ];

  test('shows the books of the best correction, and keeps what was asked', async () => {
    const { window } = createCatalogue('harry potter', 'hardy');
    await window.open({ q: 'hary', sort: 'title' });
    assert.deepEqual(shownBy(window), ['harry', 1, 'harry potter']);
    assert.deepEqual(window.state.value.query, { q: 'hary', sort: 'title' });
    assert.deepEqual(window.state.value.correction, { q: 'harry' });
  });

  test('is empty when the words are meant exactly, or have no correction, or it fails', async () => {
    const { window, page, asked } = createCatalogue('harry potter');
    await window.open({ q: 'hary' }, { isExact: true });
    assert.deepEqual(shownBy(window), ['hary', 0]);
    assert.deepEqual(asked, ['hary 100']);
    await window.open({ q: 'nobody' });
    assert.deepEqual(shownBy(window), ['nobody', 0]);
    const failing = windowOn(page, () => Promise.reject(new ShelflistError('unavailable')));
    await failing.open({ q: 'hary' });
    assert.deepEqual([...shownBy(failing), failing.state.value.error], ['hary', 0, undefined]);
  });

  test('says when words are only found within words', async () => {
    const { page } = createCatalogue('zauberlehrling', 'emma');
    const window = windowOn(async (query, options) => ({
      ...(await page(query, options)),
      ...(query?.q === 'lehrling' && { match: 'parts' }),
    }));
    await window.open({ q: 'lehrling' });
    assert.equal(window.state.value.match, 'parts');
    await window.open({ q: 'emma' });
    assert.equal(window.state.value.match, undefined);
  });

  test('reads the books of the correction again after a change', async () => {
    const { window, titles } = createCatalogue('harry potter');
    await window.open({ q: 'hary' });
    titles.push('harry truman');
    await window.refresh();
    assert.deepEqual(shownBy(window), ['harry', 2, 'harry potter', 'harry truman']);
  });

  test('shows the books with its own words once there are some', async () => {
    const { window, titles } = createCatalogue('harry potter');
    await window.open({ q: 'hary' });
    titles.push('hary');
    await window.refresh();
    assert.deepEqual(shownBy(window), ['hary', 1, 'hary']);
    assert.equal(window.state.value.correction, undefined);
  });

  test('is empty once the books of the correction are gone', async () => {
    const { window, titles } = createCatalogue('harry potter');
    await window.open({ q: 'hary' });
    titles.pop();
    await window.refresh();
    assert.deepEqual(shownBy(window), ['hary', 0]);
  });
});
