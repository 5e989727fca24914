// What sources of books answer. All of it is untrusted.
import { fillFields, parseBookFields, type BookFields } from '../catalogue/book.ts';
import { joinAuthors } from '../formats/author-names.ts';
import { joinTitle, oneLine, yearOf } from '../formats/text.ts';

/** Reads an answer of the Books API of Open Library: an object with the book, or an empty one. @throws {Error} It is not such an answer. */
export function readOpenLibrary(text: string): BookFields | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Error('its answer is neither JSON nor XML');
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw new Error('its answer is not that of Open Library');
  const [key = isbnKey] = Object.keys(answer);
  if (!key.includes(isbnKey) && !/\d{9}/.test(key))
    throw new Error(`its answer has ${JSON.stringify(key.slice(0, maxShown))} instead of a book`);
  const [found] = Object.values(answer as Record<string, unknown>);
  const { title, subtitle, authors, publish_date: date } = Object(found) as Record<string, unknown>;
  const names = Array.isArray(authors) ? authors : [];
  const book = fillFields({
    title: joinTitle(textOf(title), textOf(subtitle)),
    author: joinAuthors(names.map((each) => textOf((Object(each) as { readonly name?: unknown }).name))),
    year: yearOf(textOf(date)),
  });
  return book.title === '' ? undefined : parseBookFields(book);
}

/** Begins the name of a book in an answer. */
const isbnKey = 'ISBN:';
const maxShown = 40;

/** A text on one line; empty for any other value. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? oneLine(value.toWellFormed()) : '';
}

const noRecords = /<(?:[\w.-]+:)?numberOfRecords>\s*0\s*</;

/** Reads an answer of SRU: the first record in MARCXML that is a book. @throws {Error} It is not such an answer. */
export async function readSru(text: string): Promise<BookFields | undefined> {
  const { MarcXmlParser } = await import('../formats/marcxml.ts');
  const parser = new MarcXmlParser();
  for (const record of parser.push(text)) if ('fields' in record) return record.fields;
  if (noRecords.test(text)) return undefined;
  parser.end();
  if (parser.cut !== undefined) throw new Error('its answer is cut off');
  return undefined;
}
