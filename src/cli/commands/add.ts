import { InvalidArgumentError, type Command } from 'commander';
import { parseBookFields, type Book, type BookFields, type BookPatch } from '../../catalogue/book.ts';
import { duplicateKey, normalizeForComparison } from '../../catalogue/duplicates.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { fieldNames, indexedTexts, listFields } from '../../catalogue/fields.ts';
import { parseIsbn } from '../../catalogue/isbn.ts';
import type { Client } from '../../client/client.ts';
import {
  addDryRun,
  addFieldOptions,
  addFormatOptions,
  addServiceOptions,
  namedFields,
  pickDefined,
} from '../arguments.ts';
import { notice, type Io } from '../io.ts';
import { bookColumns, writeRecord, type Column, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
Adds a book and shows it with its id. Fields that you leave out are empty (the year: 0).
A message names an existing book with the same ${listFields(indexedTexts)}, whatever its year.
With --if-new, the command shows that book, and adds none.
--isbn fills the fields that you leave out, if the service looks books up (BOOK_LOOKUP).

Examples:
  $ shelflist add --title Emma --author "Jane Austen" --year 1815
  $ shelflist add --title Emma --author "Jane Austen" --if-new
  $ shelflist add --isbn 978-0-14-143958-7
  $ shelflist add --title Gilgamesh --year=-1750 --dry-run --json
  $ shelflist add -t Emma --url https://books.example.org --username ada --format csv`;

interface AddOptions extends SessionOptions, OutputOptions, BookPatch {
  isbn?: string;
  ifNew?: boolean;
  dryRun?: boolean;
}

export function defineAdd(command: Command, io: Io): void {
  addDryRun(addFormatOptions(addServiceOptions(addFieldOptions(command))))
    .option('--isbn <number>', 'look the book up by its ISBN (10 or 13 digits)', parseIsbnOption)
    .option('--if-new', 'add the book only if the catalogue does not have it')
    .addHelpText('after', help)
    .action(async (options: AddOptions) => {
      const { isbn } = options;
      const named = isbn === undefined ? namedFields(options) : pickDefined(options, fieldNames);
      const book = await withSession(io, options, async (client) => {
        const found = isbn === undefined ? {} : await lookUp(client, isbn);
        return addBook(io, client, { ...found, ...named }, options);
      });
      await writeRecord(io, bookColumns as readonly Column<NewBook>[], book, options);
      if (options.dryRun && book.id === undefined && options.json !== true) notice(io, 'would add this book');
    });
}

function parseIsbnOption(value: string): string {
  const isbn = parseIsbn(value);
  if (isbn !== undefined) return isbn;
  throw new InvalidArgumentError('expected an ISBN of 10 or 13 digits, with a correct check digit');
}

/** @throws {ShelflistError} Why there is no book, with advice. */
async function lookUp(client: Client, isbn: string): Promise<BookFields> {
  try {
    return await client.lookUpIsbn(isbn);
  } catch (error) {
    if (!hasCode(error, 'book_not_found', 'not_found')) throw error;
    const { code } = error;
    const message =
      code === 'book_not_found'
        ? `no book is known with the ISBN ${isbn}; add it with --title`
        : 'the service does not look books up; set BOOK_LOOKUP in its settings, and restart it';
    throw new ShelflistError(code, { message, cause: error });
  }
}

/** A book; without an id, it is not added. */
type NewBook = BookFields & Partial<Pick<Book, 'id'>>;

async function addBook(
  io: Io,
  client: Client,
  fields: BookPatch,
  { ifNew, dryRun, json }: AddOptions,
): Promise<NewBook> {
  const existing = await findDuplicatesOf(client, fields, ifNew === true);
  if (existing !== undefined && json !== true) {
    const effect = ifNew ? 'not added' : 'note';
    notice(io, `${effect}: book ${existing.id} has the same ${listFields(indexedTexts)}`);
  }
  if (existing !== undefined && ifNew) return existing;
  return dryRun ? parseBookFields(fields) : client.create(fields);
}

/** The maximum number of candidates. Books with the same words may differ in signs, such as `C` and `C#`. */
const maxCandidates = 100;

/** The first book with the same texts. The service finds its candidates by their words. */
async function findDuplicatesOf(
  client: Client,
  fields: BookPatch,
  isRequired: boolean,
): Promise<Book | undefined> {
  const texts = pickDefined(parseBookFields(fields), indexedTexts);
  if (Object.values(texts).every((text) => text === '')) return undefined;
  try {
    const { items: books } = await client.page({ ...texts, limit: maxCandidates });
    const keyOf = (book: BookPatch) =>
      duplicateKey({ texts: normalizeForComparison(parseBookFields(book)).texts });
    return books.find((book) => keyOf(book) === keyOf(texts));
  } catch (error) {
    // A message is not worth a failure: a text may be too long for a query. If the service fails, the next request shows it.
    if (isRequired || !(error instanceof ShelflistError)) throw error;
    return undefined;
  }
}
