import type { Book, BookFields } from '../../catalogue/book.ts';
import { fieldNames, fields } from '../../catalogue/fields.ts';
import { fieldOptions } from '../arguments.ts';
import { plain, type Io } from '../io.ts';
import { writeRecord, writeRecords, type Column, type OutputOptions } from './records.ts';

/** The columns of the fields of a book. */
export const fieldColumns = fieldNames.map((name): Column<BookFields> => {
  const { width } = fieldOptions[name];
  return {
    name,
    ...(fields[name].type === 'integer' && { align: 'right' }),
    ...(width !== undefined && { weight: width }),
  };
});

/** The columns of a book. */
export const bookColumns: readonly Column<Book>[] = [
  { name: 'id', align: 'right', style: 'cyan' },
  ...fieldColumns,
];

/** A book in a message, on one line. A record that is not a book has an id only. */
export function describeBook(book: Pick<Book, 'id'> & Partial<Book>): string {
  return [book.id, ...fieldNames.map((name) => plain(String(book[name] ?? '')))].join('  ');
}

/** The fields that differ between two states of a book, with both values; empty if none does. */
export function describeChanges(before: BookFields, after: BookFields): string {
  return fieldNames
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} from ${JSON.stringify(before[name])} to ${JSON.stringify(after[name])}`)
    .join(', ');
}

/** Writes books in the format of the options; returns their number. */
export function writeBooks(
  io: Io,
  books: Iterable<Book> | AsyncIterable<Book>,
  options: OutputOptions,
): Promise<number> {
  return writeRecords(io, bookColumns, books, options);
}

/** Writes one book. */
export function writeBook(io: Io, book: Book, options: OutputOptions): Promise<void> {
  return writeRecord(io, bookColumns, book, options);
}

/** Writes groups of books: as JSON, each is an array; otherwise each book has the number of its group. */
export async function writeGroups(
  io: Io,
  groups: AsyncIterable<readonly Book[]>,
  options: OutputOptions,
): Promise<void> {
  const format = options.json ? 'json' : options.format;
  if (format === 'json' || format === 'ndjson') await writeRecords(io, [], groups, options);
  else await writeRecords(io, [{ name: 'group', align: 'right' }, ...bookColumns], numbered(groups), options);
}

async function* numbered(groups: AsyncIterable<readonly Book[]>): AsyncGenerator<Book & { group: number }> {
  let group = 0;
  for await (const books of groups) {
    group++;
    for (const book of books) yield { group, ...book };
  }
}
