// Descriptions of a book for search engines.
import type { Book } from '../../catalogue/book.ts';
import { splitAuthors, type Name } from '../../formats/author-names.ts';

/** A longer author, in characters, is one text: to take names apart costs some microseconds each, and anybody may ask for the page. */
const maxAuthor = 10_000;

/** A short description of a book, for lists of results: `Emma, Jane Austen, 1815 · Village library`. */
export function describeBook({ title, author, year }: Book, catalogueName: string): string {
  const parts = [title, author, year === 0 ? '' : String(year)].filter((part) => part.trim() !== '');
  return [parts.join(', '), catalogueName].filter((part) => part !== '').join(' · ');
}

/**
 * A book in the vocabulary of schema.org. Years without four digits are left out: ISO 8601 has other forms for them.
 *
 * @param folder The address of the folder of the page; `undefined`: not known.
 */
export function bookData({ id, title, author, year }: Book, folder: string | undefined): object {
  const authors = author.length > maxAuthor ? [author] : splitAuthors(author).map(agent);
  return {
    '@context': 'https://schema.org',
    '@type': 'Book',
    ...(folder !== undefined && { '@id': `${folder}?book=${id}`, url: `${folder}?book=${id}` }),
    ...(title !== '' && { name: title }),
    ...(authors.length > 0 && { author: authors }),
    ...(year >= 1000 && year <= 9999 && { datePublished: String(year) }),
  };
}

/** A name without parts is text, because it can belong to a person, such as `Homer`, or to an organisation. */
function agent(name: Name): object | string {
  if ('literal' in name) return name.literal;
  const { given = '', family, suffix = '' } = name;
  const whole = [given, family, suffix].filter((part) => part !== '').join(' ');
  return {
    '@type': 'Person',
    name: whole,
    ...(given !== '' && { givenName: given }),
    familyName: family,
  };
}
