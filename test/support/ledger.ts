import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { fieldsOf } from '../../src/catalogue/book.ts';
import { ShelflistError, type Book, type BookFields, type BookPatch, type Client } from '../../src/index.ts';
import { bookOf } from './books.ts';

/** What the writers of a ledger use of a client. */
export type LedgerClient = Pick<Client, 'create' | 'update' | 'delete' | 'revert' | 'get'>;

/** The possible states of a book; `undefined` if it may be deleted. Several if the outcome of a write is unknown. */
type States = readonly (BookFields | undefined)[];

/**
 * Compares the responses that writers got with the final contents of the store. An acknowledged write must be there, a
 * refused one must not, and one with an unknown outcome may be. A book has one writer at a time.
 */
export class Ledger {
  readonly #books = new Map<number, States>();
  /** The states that each book may have had at some time: a revert gives it one of them. */
  readonly #earlier = new Map<number, readonly BookFields[]>();
  /** Creates with an unknown outcome, by their unique titles. */
  readonly #perhaps = new Map<string, BookFields>();
  #acknowledged = 0;
  #unknown = 0;

  /** Acknowledged writes. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Writes that ended without a response, or with "Service unavailable". */
  get unknown(): number {
    return this.#unknown;
  }

  /** Returns the id, if there was a response with it. */
  async create(client: LedgerClient, fields: BookFields): Promise<number | undefined> {
    const book = await this.#attempt(client.create(fields));
    if (book === undefined) this.#perhaps.set(fields.title, fields);
    else this.#add(book, fields);
    return book?.id;
  }

  /** @param ids Creates all of the books, and returns their ids. */
  async createMany(ids: Promise<readonly number[]>, books: readonly BookFields[]): Promise<void> {
    const created = await this.#attempt(ids);
    for (const [i, fields] of books.entries()) {
      const id = created?.[i];
      if (id === undefined) this.#perhaps.set(fields.title, fields);
      else this.#add({ id, ...fields }, fields);
    }
  }

  #add({ id, ...stored }: Book, fields: BookFields): void {
    assert.deepEqual(stored, fields);
    assert.ok(!this.#books.has(id), `the id ${id} was given twice`);
    this.#books.set(id, [stored]);
    this.#addEarlier(id, [stored]);
  }

  async update(client: LedgerClient, id: number, patch: BookPatch): Promise<void> {
    const before = this.#statesOf(id);
    const changed = before.map((state) => state && { ...state, ...patch });
    this.#books.set(id, distinct([...before, ...changed]));
    this.#addEarlier(id, [...before, ...changed]);
    const book = await this.#attempt(client.update(id, patch, { batch: 'ledger-updates' }), () => {
      assert.ok(before.includes(undefined), `book ${id} is lost`);
    });
    if (book !== undefined) this.#books.set(id, [fieldsOf(book)]);
  }

  async delete(client: LedgerClient, id: number): Promise<void> {
    this.#books.set(id, distinct([...this.#statesOf(id), undefined]));
    // By the specification a DELETE that fails is a 404, too: what it has done is then not known.
    const isGone = await this.#attempt(
      client.delete(id).then(() => true),
      () => this.#unknown++,
    );
    if (isGone === true) this.#books.set(id, [undefined]);
  }

  /** Gives a book its newest earlier state; brings it back if it is deleted. */
  async revert(client: LedgerClient, id: number): Promise<void> {
    const before = this.#statesOf(id);
    const earlier = this.#addEarlier(id, before);
    this.#books.set(id, distinct([...before, ...earlier]));
    const book = await this.#attempt(client.revert(id), () => this.#books.set(id, before));
    if (book === undefined) return;
    assertAmong(id, fieldsOf(book), earlier);
    this.#books.set(id, [fieldsOf(book)]);
  }

  /** Checks that a read after an acknowledged write sees it. */
  async read(client: LedgerClient, id: number): Promise<void> {
    const allowed = this.#statesOf(id);
    try {
      const book = await client.get(id);
      assertAmong(id, fieldsOf(book), allowed);
    } catch (error) {
      if (codeOf(error) === 'book_not_found') assertAmong(id, undefined, allowed);
      else assertNoAnswer(error);
    }
  }

  /**
   * Compares the stored books with the responses.
   *
   * @param isSettled Whether no write can still arrive: the stored books are then final.
   */
  check(found: readonly Book[], { isSettled }: { isSettled: boolean }): void {
    const there = new Map(found.map((book) => [book.id, fieldsOf(book)]));
    assert.equal(there.size, found.length, 'an id occurs twice in the list');
    for (const [id, fields] of there) {
      if (this.#books.has(id)) continue;
      const perhaps = this.#perhaps.get(fields.title);
      assert.deepEqual(fields, perhaps, `nobody has written book ${id}`);
      this.#perhaps.delete(fields.title);
      this.#books.set(id, [fields]);
    }
    for (const [id, allowed] of this.#books) {
      assertAmong(id, there.get(id), allowed);
      if (isSettled) this.#books.set(id, [there.get(id)]);
    }
    if (isSettled) this.#perhaps.clear();
  }

  #addEarlier(id: number, states: States): readonly BookFields[] {
    const known = this.#earlier.get(id) ?? [];
    const earlier = distinct([...known, ...states]).filter((state) => state !== undefined);
    this.#earlier.set(id, earlier);
    return earlier;
  }

  #statesOf(id: number): States {
    return this.#books.get(id) ?? assert.fail(`nobody was told of the id ${id}`);
  }

  /** The result of a write, or `undefined` if its outcome is unknown. */
  async #attempt<T>(write: Promise<T>, notFound?: () => void): Promise<T | undefined> {
    try {
      const result = await write;
      this.#acknowledged++;
      return result;
    } catch (error) {
      if (codeOf(error) === 'book_not_found' && notFound !== undefined) notFound();
      else {
        assertNoAnswer(error);
        this.#unknown++;
      }
      return undefined;
    }
  }
}

/** Each state once: writes with unknown outcomes would double them. */
function distinct(states: States): States {
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
}

function codeOf(error: unknown): string {
  return error instanceof ShelflistError ? error.code : '';
}

/** An outage may cause no response, a 503, or a 409 for a repeat while the first request is still held; anything else is a bug. */
function assertNoAnswer(error: unknown): void {
  assert.ok(['unreachable', 'unavailable', 'request_in_progress'].includes(codeOf(error)), error as Error);
}

function assertAmong(id: number, found: BookFields | undefined, allowed: States): void {
  const texts = allowed.map((state) => JSON.stringify(state));
  assert.ok(
    texts.includes(JSON.stringify(found)),
    `book ${id} is ${JSON.stringify(found)}, and must be ${[...new Set(texts)].join(' or ')}`,
  );
}

let writers = 0;

/**
 * Creates, changes, reads, deletes and reverts its own books, one after the other, until it is stopped. Without a response, it
 * retries some milliseconds later.
 */
export async function keepWriting(ledger: Ledger, client: LedgerClient, end: AbortSignal): Promise<void> {
  const name = `writer ${++writers}`;
  const goesOn = () => !end.aborted;
  const own: number[] = [];
  for (let n = 1; goesOn(); n++) {
    const { unknown } = ledger;
    const id = await ledger.create(client, bookOf({ title: `${name}, book ${n}`, author: name, year: n }));
    if (id !== undefined) own.push(id);
    const some = own[(n * 7) % own.length];
    if (some !== undefined && goesOn()) await ledger.update(client, some, { year: -n });
    if (some !== undefined && goesOn()) await ledger.read(client, some);
    const oldest = own.length > 5 && goesOn() ? own.shift() : undefined;
    if (oldest !== undefined) await ledger.delete(client, oldest);
    if (oldest !== undefined && n % 3 === 0 && goesOn()) await ledger.revert(client, oldest);
    if (some !== undefined && some !== oldest && n % 4 === 0 && goesOn()) await ledger.revert(client, some);
    if (ledger.unknown > unknown && goesOn()) await setTimeout(20);
  }
}
