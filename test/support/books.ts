import { fieldNames, fields, mapFields } from '../../src/catalogue/fields.ts';
import { parseBookFields, type Book, type BookFields } from '../../src/catalogue/book.ts';

/** An empty book, defined independently of the code that fills in missing fields. */
export const emptyBook = mapFields(fieldNames, (name) =>
  fields[name].type === 'integer' ? 0 : '',
) as BookFields;

/** The fields of a book. Missing ones are empty, so that a test names only those that it is about. */
export const bookOf: (fields: Partial<BookFields>) => BookFields = parseBookFields;

/** A book with an id, as a store returns it. */
export function storedBook(id: number, fields: Partial<BookFields> = {}): Book {
  return { id, ...bookOf(fields) };
}
