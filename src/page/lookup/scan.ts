import { newBatchId } from '../../catalogue/batch.ts';
import type { BookFields } from '../../catalogue/book.ts';
import { hasCode } from '../../catalogue/errors.ts';
import { parseIsbn } from '../../catalogue/isbn.ts';
import type { Client } from '../../client/methods.ts';

/** A number that was scanned, and what became of it. */
export interface Item {
  /** The ISBN; of a wrong one, what was typed. */
  readonly isbn: string;
  readonly state: 'waiting' | 'added' | 'present' | 'unknown' | 'wrong' | 'failed';
  /** The book that was found or typed. */
  readonly book?: BookFields;
  /** The idempotency key of the book, which is added once however often that is tried. */
  readonly key?: string;
}

export type ScanClient = Pick<Client, 'lookUpIsbn' | 'lookup' | 'create' | 'undo'>;

/** The numbers that are looked up at once. The service limits those of the source. */
const maxAtOnce = 3;

/** Adds the books of scanned numbers. All of them are one batch. */
export class Scan {
  items: readonly Item[] = [];
  readonly #client: ScanClient;
  /** Called after each change of the items. */
  onChange: () => void = () => undefined;
  #batch = newBatchId();
  /** Settles when the last undo has. Numbers that are scanned meanwhile wait for it: it would take back their books. */
  #undone: Promise<unknown> = Promise.resolve();
  readonly #queue: (() => Promise<void>)[] = [];
  #running = 0;

  constructor(client: ScanClient) {
    this.#client = client;
  }

  /** Whether a number is looked up, or its book added. */
  get isBusy(): boolean {
    return this.items.some(({ state }) => state === 'waiting');
  }

  /** Takes numbers, one on each line. @returns Those that are in the list already. */
  scan(text: string): string[] {
    const again: string[] = [];
    for (const line of text.split(/[\r\n]+/)) {
      const typed = line.trim();
      if (typed === '') continue;
      const isbn = parseIsbn(typed);
      if (this.items.some((each) => each.isbn === (isbn ?? typed))) again.push(isbn ?? typed);
      else if (isbn === undefined) this.#set({ isbn: typed.slice(0, 60), state: 'wrong' });
      else this.#begin({ isbn, state: 'waiting' }, () => this.#lookUp(isbn));
    }
    return again;
  }

  /** Tries again what failed: to add the book of a number, or to look it up. */
  retry(item: Item): void {
    const { isbn, book } = item;
    if (book !== undefined) this.add(item, book);
    else this.#begin({ isbn, state: 'waiting' }, () => this.#lookUp(isbn));
  }

  /** Adds the book of a number: the one that was typed, or the one that the catalogue has already. */
  add({ isbn, ...item }: Item, book: BookFields): void {
    const key = (book === item.book ? item.key : undefined) ?? newBatchId();
    this.#begin({ isbn, state: 'waiting', book, key }, () => this.#create(isbn, book, key));
  }

  /** Takes all books back, and begins another list and batch. If it fails, both are as before. @throws {ShelflistError} */
  async undo(): Promise<void> {
    const before = this.items;
    this.items = [];
    this.onChange();
    const undone = this.#client.undo(this.#batch).then(() => {
      this.#batch = newBatchId();
    });
    this.#undone = undone.catch(() => undefined);
    try {
      await undone;
    } catch (error) {
      const isAgain = ({ isbn }: Item) => this.items.some((each) => each.isbn === isbn);
      this.items = [...this.items, ...before.filter((each) => !isAgain(each))];
      this.onChange();
      throw error;
    }
  }

  #set(item: Item): void {
    const at = this.items.findIndex(({ isbn }) => isbn === item.isbn);
    this.items = at === -1 ? [item, ...this.items] : this.items.with(at, item);
    this.onChange();
  }

  #begin(item: Item, work: () => Promise<void>): void {
    this.#set(item);
    this.#queue.push(async () => {
      try {
        await this.#undone;
        await work();
      } catch {
        this.#set({ ...item, state: 'failed' });
      }
    });
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#running >= maxAtOnce) return;
    this.#running++;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) await next();
    this.#running--;
  }

  async #lookUp(isbn: string): Promise<void> {
    const book = await this.#client.lookUpIsbn(isbn).catch((error: unknown) => {
      if (hasCode(error, 'book_not_found')) return undefined;
      throw error;
    });
    if (book === undefined) {
      this.#set({ isbn, state: 'unknown' });
      return;
    }
    const [same] = await this.#client.lookup([book]);
    if (same !== undefined) this.#set({ isbn, state: 'present', book });
    else await this.#create(isbn, book, newBatchId());
  }

  async #create(isbn: string, book: BookFields, idempotencyKey: string): Promise<void> {
    await this.#client.create(book, { batch: this.#batch, idempotencyKey });
    this.#set({ isbn, state: 'added', book });
  }
}
