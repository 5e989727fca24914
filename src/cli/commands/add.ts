import type { Command } from 'commander';
import { parseBookFields, type Book, type BookPatch } from '../../catalogue/book.ts';
import { sameKey, spellBook } from '../../catalogue/duplicates.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { indexedTexts, listFields } from '../../catalogue/fields.ts';
import type { Client } from '../../client/client.ts';
import {
  addFieldOptions,
  addFormatOptions,
  addServiceOptions,
  namedFields,
  pickDefined,
} from '../arguments.ts';
import { notice, type Io } from '../io.ts';
import { writeBook, type OutputOptions } from '../ui/records.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
Adds a book and shows it with its id. Fields that you leave out are empty (the year: 0).
A message names an existing book with the same ${listFields(indexedTexts)}, whatever its year.
With --if-new, the command shows that book, and adds none.

Examples:
  $ shelflist add --title Emma --author "Jane Austen" --year 1815
  $ shelflist add --title Emma --author "Jane Austen" --if-new
  $ shelflist add --title Gilgamesh --year=-1750 --json
  $ shelflist add -t Emma --url https://books.example.org --username ada --format csv`;

interface AddOptions extends SessionOptions, OutputOptions, BookPatch {
  ifNew?: boolean;
}

export function defineAdd(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(addFieldOptions(command)))
    .option('--if-new', 'add the book only if the catalogue does not have it')
    .addHelpText('after', help)
    .action(async (options: AddOptions) => {
      const fields = namedFields(options);
      const book = await withSession(io, options, (client) => addBook(io, client, fields, options));
      await writeBook(io, book, options);
    });
}

async function addBook(
  io: Io,
  client: Client,
  fields: BookPatch,
  { ifNew, json }: AddOptions,
): Promise<Book> {
  const existing = await findSame(client, fields, ifNew === true);
  if (existing !== undefined && json !== true) {
    const effect = ifNew ? 'not added' : 'note';
    notice(io, `${effect}: book ${existing.id} has the same ${listFields(indexedTexts)}`);
  }
  return existing !== undefined && ifNew ? existing : client.create(fields);
}

/** The maximum number of candidates. Books with the same words may differ in signs, such as `C` and `C#`. */
const maxCandidates = 100;

/** The first book with the same texts. The service finds its candidates by their words. */
async function findSame(client: Client, fields: BookPatch, isRequired: boolean): Promise<Book | undefined> {
  const texts = pickDefined(parseBookFields(fields), indexedTexts);
  if (Object.values(texts).every((text) => text === '')) return undefined;
  try {
    const { books } = await client.page({ ...texts, limit: maxCandidates });
    const keyOf = (book: BookPatch) => sameKey({ texts: spellBook(parseBookFields(book)).texts });
    return books.find((book) => keyOf(book) === keyOf(texts));
  } catch (error) {
    // A message is not worth a failure: a text may be too long for a query. If the service fails, the next request shows it.
    if (isRequired || !(error instanceof ShelflistError)) throw error;
    return undefined;
  }
}
