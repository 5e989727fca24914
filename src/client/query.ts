import { formatPageQuery, type PageQuery } from '../query/parameters.ts';

const members: Record<keyof PageQuery, true> = {
  q: true,
  title: true,
  author: true,
  year: true,
  yearFrom: true,
  yearTo: true,
  sort: true,
  limit: true,
  after: true,
  count: true,
};

/**
 * The path of the books that a query fits.
 *
 * @throws {TypeError} It has a member that is none of a query: without that one, more books would fit.
 */
export function booksPath(query: PageQuery = {}): string {
  const unknown = Object.keys(query).find((name) => !Object.hasOwn(members, name));
  if (unknown !== undefined) throw new TypeError(`query.${unknown}: there is no such member`);
  const text = formatPageQuery(query);
  return text === '' ? '/books' : `/books?${text}`;
}
