import type { Book } from '../../book.ts';
import { createCsvFormat } from '../output/csv.ts';
import { inParts } from '../output/parts.ts';
import { exportHeader, markName, type Mark } from './mark.ts';

export const exportFormats = ['csv', 'json', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface BookTextOptions {
  format: ExportFormat;
  withIds: boolean;
  /** A byte order mark in front of CSV: Excel needs it to read UTF-8. */
  bom: boolean;
}

/** Writes books as text, piece by piece; with each piece comes how many books are out then. */
export async function* formatBooks(
  books: AsyncIterable<Book>,
  options: BookTextOptions,
): AsyncGenerator<{ text: string; count: number }> {
  const { head, part, foot } = await createFormat(options);
  let count = 0;
  yield { text: head, count };
  for await (const marked of inParts(markEnds(books))) {
    const text = part(marked, count === 0);
    count += marked.length;
    yield { text, count };
  }
  yield { text: foot(count === 0), count };
}

interface MarkedBook {
  book: Book;
  mark?: Mark;
}

interface Format {
  head: string;
  part: (books: readonly MarkedBook[], isFirst: boolean) => string;
  foot: (isEmpty: boolean) => string;
}

async function createFormat({ format, withIds, bom }: BookTextOptions): Promise<Format> {
  const fieldsOf = ({ id, title, author, year }: Book) => ({ ...(withIds && { id }), title, author, year });
  if (format === 'json') {
    return {
      head: '[\n',
      part: (books, isFirst) =>
        (isFirst ? '' : ',\n') + books.map(({ book }) => JSON.stringify(fieldsOf(book))).join(',\n'),
      foot: (isEmpty) => (isEmpty ? ']\n' : '\n]\n'),
    };
  }
  if (format === 'ndjson') {
    const line = (fields: object, mark?: Mark) =>
      `${JSON.stringify({ ...fields, ...(mark && { [markName]: mark }) })}\n`;
    return {
      head: '',
      part: (books) => books.map(({ book, mark }) => line(fieldsOf(book), mark)).join(''),
      foot: (isEmpty) => (isEmpty ? line({}, 'whole') : ''),
    };
  }
  const rows = await createCsvFormat();
  const header = exportHeader(withIds);
  return {
    head: (bom ? '\uFEFF' : '') + rows([header]),
    part: (books) =>
      rows(books.map(({ book, mark = '' }) => [...Object.values(fieldsOf(book)).map(String), mark])),
    foot: (isEmpty) => (isEmpty ? rows([[...header.slice(1).map(() => ''), 'whole']]) : ''),
  };
}

/** Marks the first and the last book: the last is known when none comes after it. */
async function* markEnds(books: AsyncIterable<Book>): AsyncGenerator<MarkedBook> {
  let held: MarkedBook | undefined;
  for await (const book of books) {
    if (held) yield held;
    held = held ? { book } : { book, mark: 'begin' };
  }
  if (held) yield { book: held.book, mark: held.mark === 'begin' ? 'whole' : 'end' };
}
