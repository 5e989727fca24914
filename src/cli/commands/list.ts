import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Client } from '../../client/client.ts';
import { ShelflistError } from '../../errors.ts';
import { foldWords } from '../../query/fold.ts';
import { isUnconditional, sortKeys, toCondition, type BookQuery } from '../../query/query.ts';
import { addFormatOptions, addServiceOptions, parseYear } from '../arguments.ts';
import { notice, programName, type Io } from '../io.ts';
import { writeBooks } from '../output/books.ts';
import { write, writeRecord, type OutputOptions } from '../output/records.ts';
import { firstBooks } from '../pages.ts';
import type { SessionOptions } from '../login.ts';
import { withSession } from '../session.ts';

const help = `
Words find the books in whose title or author each of them begins some word. Case,
marks and punctuation do not count, here and in --title and --author. Those take the
whole title and the whole author; words find a part: shelflist list tolkien

On a terminal the books come as a table that fits it; in a pipe as lines of id,
title, author and year with tabs between. --format json, ndjson and csv give every
character of every book, and --format table a table in a pipe too.

Examples:
  $ shelflist list
  $ shelflist list austen em
  $ shelflist list --author "Jane Austen" --sort -year
  $ shelflist list --title emma --json | jq '.[].id'
  $ shelflist list --year 1815 --limit 10
  $ shelflist list war --year-from 1900 --year-to 1999 --count
  $ shelflist list --year-to=-1
  $ shelflist list --format csv --url https://books.example.org --username ada`;

interface ListOptions extends SessionOptions, OutputOptions, Omit<BookQuery, 'q'> {
  limit?: number;
  count?: boolean;
}

export function defineList(command: Command, io: Io): void {
  addFormatOptions(addServiceOptions(command))
    .argument('[words...]', 'what the books are to hold, in title or author')
    .option('-t, --title <text>', 'only those with this whole title')
    .option('-a, --author <text>', 'only those of this whole author')
    .option('-y, --year <year>', 'only those of this year', parseYear)
    .option('--year-from <year>', 'only those of this year and later', parseYear)
    .option('--year-to <year>', 'only those of this year and earlier', parseYear)
    .addOption(
      new Option('--sort <key>', 'in which order, if not by id; with - in front the other way round').choices(
        sortKeys.flatMap((key) => [key, `-${key}`]),
      ),
    )
    .option('--limit <count>', 'only so many, the first ones', parseLimit)
    .addOption(
      new Option('--count', 'write only how many there are; not with --sort or --limit').conflicts([
        'sort',
        'limit',
      ]),
    )
    .addHelpText('after', help)
    .action((words: string[], options: ListOptions) => listBooks(io, words, options));
}

function parseLimit(value: string): number {
  const limit = Number(value);
  if (/^[0-9]+$/.test(value) && limit >= 1 && Number.isSafeInteger(limit)) return limit;
  throw new InvalidArgumentError('A limit is a whole number from 1 to 2^53-1.');
}

async function listBooks(io: Io, words: readonly string[], options: ListOptions): Promise<void> {
  const query = queryOf(words, options);
  if (options.count) {
    const count = await withSession(io, options, (client) => countBooks(client, query));
    if (options.json || options.format) await writeRecord(io, [{ name: 'count' }], { count }, options);
    else await write(io, `${count}\n`);
    return;
  }
  const { limit } = options;
  const count = await withSession(io, options, (client) =>
    writeBooks(io, limit === undefined ? client.books(query) : firstBooks(client, query, limit), options),
  );
  // An empty catalogue is no surprise; in a pipe, nothing says enough.
  if (count > 0 || isUnconditional(toCondition(query))) return;
  if (io.stdout.isTTY && !options.json) notice(io, `no book fits${partHint(io, query)}`);
}

/** Who gives a part of a title or author finds nothing, where words would do. */
function partHint(io: Io, { q = '', title, author }: BookQuery): string {
  if (title === undefined && author === undefined) return '';
  const words = foldWords([q, title, author].join(' ')).join(' ');
  const example = words === '' ? '' : `: ${programName(io)} list ${words}`;
  return `; --title and --author take the whole text, and words find a part${example}`;
}

function queryOf(words: readonly string[], options: ListOptions): BookQuery {
  const { title, author, year, yearFrom, yearTo, sort } = options;
  if (words.length > 0 && foldWords(words.join(' ')).length === 0) {
    // To the service that is no condition; whoever typed it does not expect every book.
    throw new ShelflistError('usage', {
      message: `there is no word in ${JSON.stringify(words.join(' '))}: a word is letters and digits; without words, every book is listed`,
    });
  }
  return {
    ...(words.length > 0 && { q: words.join(' ') }),
    ...(title !== undefined && { title }),
    ...(author !== undefined && { author }),
    ...(year !== undefined && { year }),
    ...(yearFrom !== undefined && { yearFrom }),
    ...(yearTo !== undefined && { yearTo }),
    ...(sort !== undefined && { sort }),
  };
}

async function countBooks(client: Client, query: BookQuery): Promise<number | undefined> {
  // One book travels with the number: a page of none there is not.
  const { total } = await client.page({ ...query, limit: 1, count: true });
  return total;
}
