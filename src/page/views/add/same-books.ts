import type { Book, BookFields } from '../../../catalogue/book.ts';
import { sameKey, spellBook } from '../../../catalogue/duplicates.ts';
import { indexedTexts, mapFields } from '../../../catalogue/fields.ts';
import { client } from '../../state/service.ts';

/** The number of books whose words are compared: those with the same words may differ in signs, such as `C` and `C#`. */
const maxCandidates = 100;

/** The first book with the same texts, whatever its year, as the command `add` looks for it. */
export async function findSame(fields: BookFields, signal: AbortSignal): Promise<Book | undefined> {
  const texts = mapFields(indexedTexts, (name) => fields[name]);
  if (Object.values(texts).every((text) => text.trim() === '')) return undefined;
  const { books } = await client.page({ ...texts, limit: maxCandidates }, { signal });
  const keyOf = (book: BookFields) => sameKey({ texts: spellBook(book).texts });
  return books.find((book) => keyOf(book) === keyOf(fields));
}
