import { parseBookFields, parseBookPatch, type Book, type BookFields, type BookPatch } from '../../book.ts';
import { comparePositions, positionOf } from '../../query/position.ts';
import { matches, toCondition, type BookQuery } from '../../query/query.ts';
import { Calls } from '../calls.ts';
import { expectBook, isSameBook } from '../expect.ts';
import { allIds } from '../ids.ts';
import { checkPageRequest, createPage, type Page, type PageRequest } from '../page.ts';
import type { BookStore, Changes } from '../store.ts';
import type { Shelf } from './shelf.ts';

/** Books in memory. Every answer is computed by the simplest code over all books. */
export class MemoryStore implements BookStore {
  readonly description: string;
  readonly #shelf: Shelf;
  readonly #calls: Calls;

  constructor(shelf: Shelf, description: string) {
    this.#shelf = shelf;
    this.description = description;
    this.#calls = new Calls(description);
  }

  create(fields: BookFields): Promise<Book> {
    return this.#run(() => {
      const book = { id: this.#shelf.lastId + 1, ...parseBookFields(fields) };
      this.#shelf.put(book);
      return book;
    });
  }

  get(id: number): Promise<Readonly<Book> | undefined> {
    return this.#run(() => this.#shelf.get(id));
  }

  async *list({ first, last } = allIds): AsyncIterable<readonly Book[]> {
    const end = Math.min(last, this.#shelf.lastId);
    for (let start = first; ;) {
      const page = await this.#run(() =>
        fill(
          this.#shelf.books.filter(({ id }) => id >= start && id <= end),
          Infinity,
        ),
      );
      if (page.books.length > 0) yield page.books;
      if (page.isLast) return;
      start = (page.books.at(-1)?.id ?? end) + 1;
    }
  }

  find(query: BookQuery, request: PageRequest): Promise<Page> {
    return this.#run(() => {
      const { limit, after } = checkPageRequest(request);
      const condition = toCondition(query);
      const found = this.#matching(query)
        .map((book) => ({ book, position: positionOf(condition, book) }))
        .filter(({ position }) => after === undefined || comparePositions(condition, position, after) > 0)
        .sort((a, b) => comparePositions(condition, a.position, b.position));
      return fill(
        found.map(({ book }) => book),
        limit,
      );
    });
  }

  count(query: BookQuery): Promise<number> {
    return this.#run(() => this.#matching(query).length);
  }

  version(): Promise<string> {
    return this.#run(() => this.#shelf.version);
  }

  changes(since: string): Promise<Changes> {
    return this.#run(() => ({ version: this.#shelf.version, ids: this.#shelf.changedSince(since) }));
  }

  update(id: number, patch: BookPatch, expected?: Book): Promise<Book | undefined> {
    return this.#run(() => {
      const valid = parseBookPatch(patch);
      const book = this.#shelf.get(id);
      if (book === undefined) return undefined;
      expectBook(expected, book);
      const updated = { ...book, ...valid };
      if (!isSameBook(book, updated)) this.#shelf.put(updated);
      return updated;
    });
  }

  delete(id: number, expected?: Book): Promise<void> {
    return this.#run(() => {
      expectBook(expected, this.#shelf.get(id));
      this.#shelf.remove(id);
    });
  }

  close(): Promise<void> {
    return this.#calls.close(() => Promise.resolve());
  }

  #matching(query: BookQuery): Book[] {
    const condition = toCondition(query);
    return this.#shelf.books.filter((book) => matches(condition, book));
  }

  async #run<T>(action: () => T): Promise<T> {
    const { tooLate } = this.#calls;
    if (tooLate !== undefined) throw tooLate;
    return Promise.resolve(action());
  }
}

function fill(books: readonly Book[], limit: number): Page {
  const page = createPage(limit);
  for (const book of books) {
    if (page.isFull) return { books: page.books, isLast: false };
    page.add(book);
  }
  return { books: page.books, isLast: true };
}
