import type { Book } from '../../book.ts';
import { comparePositions, positionOf, type Position } from '../../query/position.ts';
import { matches, type Condition } from '../../query/query.ts';
import { createPage } from '../page.ts';
import { bookProjection } from './prepare.ts';
import type { Reading } from './reading.ts';
import type { Version } from './version.ts';

/** The books that have no index entry, or an old one: a few, but for those that another program put there. */
export class Unindexed {
  readonly #reading: Reading;
  readonly #version: Version;
  /** The version at which there were none. */
  #noneAt: string | undefined;

  constructor(reading: Reading, version: Version) {
    this.#reading = reading;
    this.#version = version;
  }

  /** One after the other, in no order. */
  async *read(): AsyncGenerator<Book, void> {
    // The server takes its time over an index from which much was removed lately, even if nothing is left in it.
    const version = await this.#version.read();
    if (version === this.#noneAt) return;
    const { collections, decode, maxTimeMS } = this.#reading;
    const options = { projection: bookProjection, batchSize: 1000, maxTimeMS };
    let isNone = true;
    for await (const document of collections.books.find({ indexed: null, _id: { $gt: 0 } }, options)) {
      isNone = false;
      yield decode(document);
    }
    if (isNone) this.#noneAt = version;
  }
}

/** The first of the books that a condition fits, in its order: as many as a page holds, and one more. */
export async function firstOf(
  books: AsyncIterable<Book>,
  condition: Condition,
  limit: number,
  after: Position | undefined,
): Promise<Book[]> {
  let found: { book: Book; position: Position }[] = [];
  let characters = 0;
  const maxFound = 2 * limit + 100;
  const maxCharacters = 2 ** 22;

  function shorten(): void {
    found.sort((a, b) => comparePositions(condition, a.position, b.position));
    const page = createPage(limit);
    const end = found.findIndex(({ book }) => {
      if (page.isFull) return true;
      page.add(book);
      return false;
    });
    if (end !== -1) found = found.slice(0, end + 1);
    characters = 0;
  }

  for await (const book of books) {
    if (!matches(condition, book)) continue;
    const position = positionOf(condition, book);
    if (after !== undefined && comparePositions(condition, position, after) <= 0) continue;
    found.push({ book, position });
    characters += book.title.length + book.author.length;
    if (found.length > maxFound || characters > maxCharacters) shorten();
  }
  shorten();
  return found.map(({ book }) => book);
}
