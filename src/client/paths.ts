import { isId } from '../book.ts';
import { formatPageQuery, type PageQuery } from '../query/parameters.ts';

/** The path of a book. @throws {TypeError} The id is not a valid id: as text, it could lead to another path. */
export function bookPath(id: number): string {
  if (!isId(id)) throw new TypeError('id: expected a whole number from 1 to 2^53-1');
  return `/book/${id}`;
}

/** The path of the books that a query fits. @throws {TypeError} As {@link formatPageQuery} does. */
export function booksPath(query: PageQuery = {}): string {
  const text = formatPageQuery(query);
  return text === '' ? '/books' : `/books?${text}`;
}
