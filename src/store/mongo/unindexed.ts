import type { Book } from '../../book.ts';
import { comparePositions, positionOf, type Position } from '../../query/position.ts';
import { matches, type Condition } from '../../query/query.ts';
import { createPage } from '../page.ts';
import { years } from './filter.ts';
import { bookProjection, type BookDocument, type Collections } from './prepare.ts';

/** Every book that has no index entry, or an old one, one after the other: a few, but for those that others put there. */
export async function* readUnindexed(
  { books }: Collections,
  decode: (document: BookDocument) => Book,
  maxTimeMS: number,
  condition?: Condition,
): AsyncGenerator<Book, void> {
  const query = {
    $and: [{ indexed: null, _id: { $gt: 0 } }, ...(condition ? years('year', condition) : [])],
  };
  const options = { projection: bookProjection, batchSize: 1000, maxTimeMS };
  for await (const document of books.find(query, options)) yield decode(document);
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
