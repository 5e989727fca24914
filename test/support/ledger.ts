import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { ShelflistError, type Book, type BookFields, type BookPatch, type Client } from '../../src/index.ts';

/** What a book may be now; `undefined` where it may be gone. More than one, where the fate of a write is not known. */
type States = readonly (BookFields | undefined)[];

/**
 * What writers were told, beside what the store holds in the end: each write that was acknowledged must be there, one that
 * was refused must not, and one whose fate nobody knows may be either. A book has one writer at a time.
 */
export class Ledger {
  readonly #books = new Map<number, States>();
  /** Creates of unknown fate, by their titles, which are never the same. */
  readonly #perhaps = new Map<string, BookFields>();
  #acknowledged = 0;
  #unknown = 0;

  /** Writes that were answered with success. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Writes that ended without an answer, or with "Service unavailable". */
  get unknown(): number {
    return this.#unknown;
  }

  /** Gives the id, if it was told. */
  async create(client: Client, fields: BookFields): Promise<number | undefined> {
    const book = await this.#attempt(client.create(fields));
    if (book === undefined) {
      this.#perhaps.set(fields.title, fields);
      return undefined;
    }
    const { id, ...stored } = book;
    assert.deepEqual(stored, fields);
    assert.ok(!this.#books.has(id), `the id ${id} was given twice`);
    this.#books.set(id, [stored]);
    return id;
  }

  async update(client: Client, id: number, patch: BookPatch): Promise<void> {
    const before = this.#statesOf(id);
    const changed = before.map((state) => state && { ...state, ...patch });
    this.#books.set(id, [...before, ...changed]);
    const book = await this.#attempt(client.update(id, patch), () => {
      assert.ok(before.includes(undefined), `book ${id} is lost`);
    });
    if (book !== undefined) this.#books.set(id, [withoutId(book)]);
  }

  async delete(client: Client, id: number): Promise<void> {
    this.#books.set(id, [...this.#statesOf(id), undefined]);
    // By the specification a DELETE that fails is a 404, too: what it has done is then not known.
    const isGone = await this.#attempt(
      client.delete(id).then(() => true),
      () => this.#unknown++,
    );
    if (isGone === true) this.#books.set(id, [undefined]);
  }

  /** Whoever reads after an acknowledged write sees it. */
  async read(client: Client, id: number): Promise<void> {
    const allowed = this.#statesOf(id);
    try {
      const book = await client.get(id);
      assertAmong(id, withoutId(book), allowed);
    } catch (error) {
      if (codeOf(error) === 'book_not_found') assertAmong(id, undefined, allowed);
      else assertNoAnswer(error);
    }
  }

  /**
   * Holds what is there against what was told.
   *
   * @param isSettled Whether no write can be on its way any more: what is there is then what must be there later.
   */
  check(found: readonly Book[], { isSettled }: { isSettled: boolean }): void {
    const there = new Map(found.map((book) => [book.id, withoutId(book)]));
    assert.equal(there.size, found.length, 'an id stands twice in the list');
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

  #statesOf(id: number): States {
    return this.#books.get(id) ?? assert.fail(`nobody was told of the id ${id}`);
  }

  /** What a write gives, or `undefined` if its fate is not known. */
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

function withoutId({ title, author, year }: Book): BookFields {
  return { title, author, year };
}

function codeOf(error: unknown): string {
  return error instanceof ShelflistError ? error.code : '';
}

/** No answer, or 503, is what faults may cause; anything else is a mistake. */
function assertNoAnswer(error: unknown): void {
  assert.ok(['unreachable', 'unavailable'].includes(codeOf(error)), error as Error);
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
 * Writes, changes, reads and deletes books of its own, one after the other, until it is told to end. Where nobody answers it
 * tries again, some milliseconds later.
 */
export async function keepWriting(ledger: Ledger, client: Client, end: AbortSignal): Promise<void> {
  const name = `writer ${++writers}`;
  const goesOn = () => !end.aborted;
  const own: number[] = [];
  for (let n = 1; goesOn(); n++) {
    const { unknown } = ledger;
    const id = await ledger.create(client, { title: `${name}, book ${n}`, author: name, year: n });
    if (id !== undefined) own.push(id);
    const some = own[(n * 7) % own.length];
    if (some !== undefined && goesOn()) await ledger.update(client, some, { year: -n });
    if (some !== undefined && goesOn()) await ledger.read(client, some);
    if (own.length > 5 && goesOn()) await ledger.delete(client, own.shift() ?? 0);
    if (ledger.unknown > unknown && goesOn()) await setTimeout(20);
  }
}
