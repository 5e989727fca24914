import { InvalidArgumentError, type Command } from 'commander';
import { parseId, type Book } from '../../catalogue/book.ts';
import type { Client } from '../../client/client.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { CommandError } from '../command-error.ts';
import { matchesEverything, toFilter, type BookQuery } from '../../catalogue/query.ts';
import { eachAtOnce } from '../../lib/semaphore.ts';
import { addJsonOption, addServiceOptions } from '../arguments.ts';
import { confirm, listIds, maxInFlight, preview, requireTerminal, writeBatch } from '../ui/batches.ts';
import { counted, notice, paragraph, type Io } from '../io.ts';
import { addFilterOptions, booksToChange, queryOf, type FilterOptions } from '../book-filter.ts';
import type { SessionOptions } from '../session/target.ts';
import { withSession } from '../session/session.ts';

const help = `
${paragraph(
  'Ids are single (7) or ranges (28..35); - reads them from standard input. Without ids, --words and filters select books as ' +
    'in `shelflist list`. An id is never used again. Deleting several books asks for confirmation on a terminal, and needs --yes ' +
    'without one. `shelflist undo` brings the books back.',
)}
Examples:
  $ shelflist delete 7
  $ shelflist delete 7 8 28..35 --yes
  $ shelflist list --author Anon | cut -f 1 | shelflist delete - --yes
  $ shelflist delete --author "Jane Austin" --words emma
  $ shelflist delete --in-title draft --in-author anon
  $ shelflist delete --title Untitled --year 0
  $ shelflist delete --year-from 2100 --year-to 2999 --yes
  $ shelflist delete 7 --json --url https://books.example.org --username ada`;

/** The largest range that is looked up book by book; a larger one is read from the list of all books. */
const maxLookups = 1000;
const maxQuoted = 40;

interface Range {
  readonly first: number;
  readonly last: number;
}

interface DeleteOptions extends SessionOptions, FilterOptions {
  words?: string;
  yes?: boolean;
  json?: boolean;
}

interface Selection {
  /** Single ids: each must exist. */
  readonly ids: readonly number[];
  /** Ranges: the books that exist. */
  readonly ranges: readonly Range[];
  readonly query: BookQuery | undefined;
}

/** A book to delete. A record that is not a book has an id only. */
type Found = Pick<Book, 'id'> & Partial<Book>;

export function defineDelete(command: Command, io: Io): void {
  addFilterOptions(addJsonOption(addServiceOptions(command)))
    .argument('[ids...]', 'the ids of the books, or ranges; - reads them from standard input', parseArgument)
    .option('--words <words>', 'only books with these words, or their beginnings')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .action((given: string[] | undefined, options: DeleteOptions) => deleteBooks(io, given ?? [], options));
}

function parseArgument(value: string, previous: readonly string[] = []): string[] {
  const range = value === '-' ? undefined : parseRange(value);
  if (typeof range === 'string') throw new InvalidArgumentError(range);
  return [...previous, value];
}

/** Reads an id, or a range; returns what is wrong with an invalid one. */
function parseRange(text: string): Range | string {
  const [start = '', end = start, ...more] = text.split('..');
  const [first, last] = [parseId(start), parseId(end)];
  if (first === undefined || last === undefined || more.length > 0)
    return 'expected an id from 1 to 2^53-1, or a range such as 28..35';
  return first <= last ? { first, last } : `the range is reversed; did you mean ${last}..${first}?`;
}

async function deleteBooks(io: Io, given: readonly string[], options: DeleteOptions): Promise<void> {
  const { yes = false, json = false } = options;
  const selection = await readSelection(io, given, options);
  const { ids, ranges, query } = selection;
  const areIds = ranges.length === 0 && query === undefined;
  const asks = !yes && !(areIds && ids.length === 1);
  if (asks) requireTerminal(io, `deleting ${areIds ? ids.length : 'several'} books`);
  await withSession(io, options, async (client) => {
    const found = await findBooks(client, selection);
    if (asks && found.length > 0) {
      preview(io, found);
      await confirm(io, `Delete ${counted(found.length, 'book')}?`, 'nothing was deleted');
    }
    await deleteFound(io, client, found, json);
  });
}

async function readSelection(
  io: Io,
  given: readonly string[],
  { words, ...options }: DeleteOptions,
): Promise<Selection> {
  const texts = given.includes('-')
    ? [...given.filter((each) => each !== '-'), ...(await readWords(io))]
    : given;
  const ranges = texts.map((text) => {
    const range = parseRange(text);
    if (typeof range === 'object') return range;
    throw new CommandError('usage', {
      message: `invalid ${JSON.stringify(text.slice(0, maxQuoted))} on standard input: ${range}`,
    });
  });
  const query = queryOf(words === undefined ? [] : [words], options);
  const isQuery = !matchesEverything(toFilter(query));
  if (isQuery === given.length > 0)
    throw new CommandError('usage', {
      message: isQuery
        ? 'name ids, or words and filters, but not both'
        : 'name ids, or words and filters that select books',
    });
  return {
    ids: [...new Set(ranges.filter(isSingle).map(({ first }) => first))],
    ranges: ranges.filter((range) => !isSingle(range)),
    query: isQuery ? query : undefined,
  };
}

function isSingle({ first, last }: Range): boolean {
  return first === last;
}

async function readWords({ stdin }: Io): Promise<string[]> {
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) text += chunk as string;
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** Checks that the single ids exist, to catch a mistyped one: deleting a book that does not exist succeeds. */
async function findBooks(client: Client, { ids, ranges, query }: Selection): Promise<Found[]> {
  const found = new Map<number, Found>();
  const lookUp = (some: readonly number[]) =>
    eachAtOnce(some, maxInFlight, async (id) => {
      const book = await find(client, id);
      if (book !== undefined) found.set(id, book);
    });
  await lookUp(ids);
  const missing = ids.filter((id) => !found.has(id)).sort((a, b) => a - b);
  if (missing.length > 0) {
    const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(missing.map(String));
    const isOne = ids.length === 1 && ranges.length === 0;
    throw new ShelflistError('book_not_found', {
      message: `book ${names} not found${isOne ? '' : '; nothing was deleted'}`,
    });
  }
  const idsOf = ({ first, last }: Range) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const count = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  if (count <= maxLookups && query === undefined) await lookUp(ranges.flatMap(idsOf));
  else
    for await (const book of booksToChange(client, query ?? {}))
      if (query !== undefined || ranges.some(({ first, last }) => first <= book.id && book.id <= last))
        found.set(book.id, book);
  return [...found.values()].sort((a, b) => a.id - b.id);
}

async function find(client: Client, id: number): Promise<Found | undefined> {
  try {
    return await client.get(id);
  } catch (error) {
    if (!(error instanceof ShelflistError)) throw error;
    if (error.code === 'book_not_found') return undefined;
    if (hasCode(error, 'internal', 'store_damaged')) return { id }; // A record that is not a book can be deleted, too.
    throw error;
  }
}

async function deleteFound(io: Io, client: Client, found: readonly Found[], json: boolean): Promise<void> {
  await writeBatch(io, {
    items: found,
    json,
    async write({ id }, batch) {
      await client.delete(id, { batch });
      return true;
    },
    report({ batch, done: deleted }) {
      deleted.sort((a, b) => a - b);
      if (json) return { deleted, batch };
      const [only] = deleted;
      const what = deleted.length === 1 ? `book ${only}` : counted(deleted.length, 'book');
      notice(io, `deleted ${what}${deleted.length > 1 ? `: ${listIds(deleted)}` : ''}`);
    },
  });
}
