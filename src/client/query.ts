import { formatPageQuery, type PageQuery } from '../query/parameters.ts';

/** The path of the books that a query fits. @throws {TypeError} As {@link formatPageQuery} does. */
export function booksPath(query: PageQuery = {}): string {
  const text = formatPageQuery(query);
  return text === '' ? '/books' : `/books?${text}`;
}
