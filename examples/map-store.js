// A store of your own: the core of the contract, in a Map. `testStore` of shelflist/store-suite tests it.
import { comparePositions, fillPage, matches, positionOf, ShelflistError, toFilter } from 'shelflist/store';

export class MapStore {
  description = 'a Map';
  #shelf;
  #isClosed = false;

  constructor(shelf = { books: new Map(), lastId: 0, version: 0 }) {
    this.#shelf = shelf;
  }
  get #books() {
    if (this.#isClosed) throw new ShelflistError('store_closed');
    return this.#shelf.books;
  }
  async create(fields) {
    for (const id of this.#books.keys()) this.#shelf.lastId = Math.max(this.#shelf.lastId, id);
    return this.#put({ id: ++this.#shelf.lastId, title: '', author: '', year: 0, ...fields });
  }
  async get(id) {
    return this.#books.get(id);
  }
  async *iterate({ first = 1, last = Infinity } = {}) {
    const ids = [...this.#books.keys()].filter((id) => id >= first && id <= last);
    for (const id of ids.sort((a, b) => a - b)) if (this.#books.has(id)) yield [this.#books.get(id)];
  }
  async find(query, { limit, after }) {
    const filter = toFilter(query);
    const compare = (a, b) => comparePositions(filter, positionOf(filter, a), b);
    const found = [...this.#books.values()].filter((book) => matches(filter, book));
    const following = found.filter((book) => after === undefined || compare(book, after) > 0);
    return fillPage(
      following.sort((a, b) => compare(a, positionOf(filter, b))),
      limit,
    );
  }
  async update(id, patch, { expected } = {}) {
    const book = this.#books.get(id);
    if (book === undefined) return undefined;
    checkExpected(expected, book);
    return this.#put({ ...book, ...patch });
  }
  async delete(id, { expected } = {}) {
    checkExpected(expected, this.#books.get(id));
    if (this.#books.delete(id)) this.#shelf.version++;
  }
  async version() {
    return String(this.#books && this.#shelf.version);
  }
  async close() {
    this.#isClosed = true;
  }
  #put(book) {
    this.#books.set(book.id, Object.freeze(book));
    this.#shelf.version++;
    return book;
  }
}

function checkExpected(expected, book) {
  const differs = Object.entries(expected ?? {}).some(([name, value]) => book?.[name] !== value);
  if (differs) throw new ShelflistError('precondition_failed');
}
