import { Option, type Command } from 'commander';
import { readCorrected, type Reading } from '../../catalogue/corrected.ts';
import { type Correction } from '../../catalogue/correction.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import {
  fieldNames,
  indexedTexts,
  listFields,
  searchedFields,
  type SearchedField,
  wordMembers,
} from '../../catalogue/fields.ts';
import { foldText } from '../../catalogue/fold.ts';
import { highlightedWords, highlights } from '../../catalogue/highlights.ts';
import { maxLimit } from '../../api/queries.ts';
import { hasWords, matchesEverything, toFilter, type BookQuery } from '../../catalogue/query.ts';
import { sorts } from '../../catalogue/sorts.ts';
import { queryWords } from '../../catalogue/words.ts';
import type { Client } from '../../client/client.ts';
import type { Paging } from '../../api/queries.ts';
import { addFormatOptions, addServiceOptions, pickDefined } from '../arguments.ts';
import { searched, wordsFlag } from '../book-filter.ts';
import { CommandError } from '../command-error.ts';
import {
  addSelection,
  readSelection,
  selectedBooks,
  selectionHelp,
  type Selection,
  type SelectionOptions,
} from '../selection.ts';
import { hasColours, notice, paragraph, programName, type Io, write } from '../io.ts';
import { addPaging, ListPart, type PartOptions } from '../paging.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { bookColumns, writeBooks, writeRecord, type OutputOptions } from '../ui/records.ts';

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });
const wholeTextOptions = listFields(indexedTexts.map((name) => `--${name}`));
const wordOptions = listFields(searchedFields.map(wordsFlag));

const help = `
${selectionHelp}
${paragraph(
  `Each of the words must begin a word in ${searched}, or be the year. ${wordOptions} search in one field only; ` +
    `${wholeTextOptions} match the whole text. Case, accents and punctuation are ignored, signs such as + and # are not.`,
)}
${paragraph(
  'If no book matches, the books of the most likely correction are listed, and standard error says so. --exact prevents this. ' +
    '`change` and `delete` never correct words.',
)}
${paragraph(
  `On a terminal, the result is a table. In a pipe, each book is a line: ${listFields(['id', ...fieldNames])}, ` +
    'separated by tabs. --format json, ndjson, csv and tsv preserve every character; csv and tsv begin with a header, which ' +
    '`shelflist import` needs. --format table writes a table to a pipe too.',
)}
Examples:
  $ shelflist list
  $ shelflist list austen em
  $ shelflist list 7 20-29 --json id,title
  $ shelflist list --words 1984
  $ shelflist list --exact astin
  $ shelflist list --in-author "steph king" --in-title dark
  $ shelflist list --author "Jane Austen" --sort -year
  $ shelflist list --title emma --json | jq '.[].id'
  $ shelflist list --year 1815 --limit 10
  $ shelflist list --sort title --limit 20 --after WzEsImVtbWEiXQ
  $ shelflist list war --year-from 1900 --year-to 1999 --count
  $ shelflist list --year-to=-1
  $ shelflist list --format csv --url https://books.example.org --username ada`;

interface ListOptions
  extends SessionOptions, OutputOptions, SelectionOptions, PartOptions, Pick<BookQuery, 'sort'> {
  exact?: boolean;
  count?: boolean;
}

export function defineList(command: Command, io: Io): void {
  addPaging(addSelection(addFormatOptions(addServiceOptions(command))), 'books')
    .option('--exact', 'search for the words as typed, even if they find nothing')
    .addOption(
      new Option(
        '--sort <key>',
        'the order (default: best match first with words, else id); descending with a leading -',
      ).choices(sorts),
    )
    .addOption(
      new Option('--count', 'write only the number of books; not with --sort, --limit or --after').conflicts([
        'sort',
        'limit',
        'after',
      ]),
    )
    .addHelpText('after', help)
    .action((books: string[], options: ListOptions) => listBooks(io, books, options));
}

async function listBooks(io: Io, books: readonly string[], options: ListOptions): Promise<void> {
  const selection = await readSelection(io, books, options);
  if ('ids' in selection) {
    await listIds(io, books, selection, options);
    return;
  }
  const query = { ...selection.query, ...pickDefined(options, ['sort']) };
  await withSession(io, options, (client) =>
    options.count
      ? writeCount(io, options, () => countQuery(io, client, query, options))
      : writeFound(io, client, query, options),
  );
}

/** Lists the books of ids, in their order. */
async function listIds(
  io: Io,
  books: readonly string[],
  selection: Selection,
  options: ListOptions,
): Promise<void> {
  const { sort, after, count, limit = Infinity } = options;
  if (sort !== undefined || after !== undefined)
    throw new CommandError('usage', {
      message: '--sort and --after are for words and filters: books selected by id keep the order of the ids',
    });
  await withSession(io, options, async (client) => {
    const found = selectedBooks(client, selection);
    if (count) await writeCount(io, options, () => countAll(found));
    else await writeBooks(io, first(found, limit), options);
  });
  if (io.stdout.isTTY === true && options.json !== true && !books.includes('-'))
    notice(io, `for books with these words: ${programName(io)} list --words "${books.join(' ')}"`);
}

async function countAll(items: AsyncGenerator): Promise<number> {
  for (let count = 0; ; count++) if ((await items.next()).done) return count;
}

async function* first<T>(items: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  for await (const item of items) {
    if (count-- > 0) yield item;
    if (count <= 0) return;
  }
}

/** Writes the books of a query, or those of its best correction. */
async function writeFound(io: Io, client: Client, query: BookQuery, options: ListOptions): Promise<void> {
  const { limit = Infinity, after } = options;
  const exact = options.exact === true || after !== undefined; // A cursor belongs to the words of its list.
  const start: Paging = { limit: Math.min(limit, maxLimit), ...(after !== undefined && { after }) };
  const first = await readFound(io, client, query, exact, {
    read: (asked) => client.page({ ...asked, ...start }),
    isEmpty: ({ items: books }) => books.length === 0,
  });
  const isWithin = first.result.match === 'parts';
  if (isWithin)
    notice(
      io,
      `no book matches ${commandWords(first.query)} at the beginning of words; showing matches inside words`,
    );
  const part = new ListPart(options);
  const readPage = async (page: Paging) =>
    page.after === after ? first.result : client.page({ ...first.query, ...page });
  const columns = hasColours(io) ? markedColumns(first.query, isWithin) : bookColumns;
  const count = await writeBooks(io, part.read(readPage), options, columns);
  part.noteMore(io, first.isCorrected ? commandWords(first.query) : undefined);
  // An empty catalogue needs no message.
  if (count > 0 || after !== undefined || matchesEverything(toFilter(query)) || options.json) return;
  const corrections = exact ? await findCorrections(client, query) : [];
  const names = alternatives.format(corrections.map(commandWords));
  notice(
    io,
    `no book matches${corrections.length > 0 ? `; did you mean: ${names}?` : searchHint(io, query)}`,
  );
}

async function countQuery(io: Io, client: Client, query: BookQuery, { exact }: ListOptions): Promise<number> {
  const { result } = await readFound(io, client, query, exact, {
    read: (asked) => countBooks(client, asked),
    isEmpty: (number) => number === 0,
  });
  return result;
}

async function writeCount(io: Io, options: OutputOptions, countBooks: () => Promise<number>): Promise<void> {
  const count = await countBooks();
  if (options.json || options.format) await writeRecord(io, [{ name: 'count' }], { count }, options);
  else await write(io, `${count}\n`);
}

/**
 * Reads something for a query, or for its best correction, and says so.
 *
 * @returns The result, and the query that it is of.
 */
async function readFound<Result>(
  io: Io,
  client: Client,
  query: BookQuery,
  isExact: boolean | undefined,
  reading: Omit<Reading<BookQuery, Result>, 'correct'>,
): Promise<{ result: Result; query: BookQuery; isCorrected: boolean }> {
  const correct = (asked: BookQuery) => (isExact ? Promise.resolve([]) : findCorrections(client, asked));
  const { result, correction } = await readCorrected(query, { ...reading, correct });
  if (correction !== undefined)
    notice(
      io,
      `showing results for ${commandWords(correction)}; add --exact to search for ${commandWords(pickDefined(query, wordMembers))} instead`,
    );
  return { result, query: { ...query, ...correction }, isCorrected: correction !== undefined };
}

/** The columns of books, in which the letters that a query has found are bold. */
function markedColumns(query: BookQuery, isWithin: boolean): typeof bookColumns {
  const words = highlightedWords(query);
  return bookColumns.map((column) => {
    const field = searchedFields.find((each) => each === column.name);
    if (field === undefined) return column;
    return { ...column, marker: (cell: string) => highlights(cell, words[field], isWithin) };
  });
}

/** Explains how the query was understood. */
function searchHint(io: Io, query: BookQuery): string {
  const words = commandWords({
    ...pickDefined(query, wordMembers),
    ...Object.fromEntries(searchedFields.map((name) => [`${name}Words`, textsOf(query, name)])),
  });
  if (indexedTexts.some((name) => query[name] !== undefined)) {
    const example = words === '' ? '' : `; for a part: ${programName(io)} list ${words}`;
    return `: ${wholeTextOptions} match the whole text${example}`;
  }
  return words === '' ? '' : ': search for words or their beginnings';
}

/** What a query asks for in a field, whole or in words. */
function textsOf(query: BookQuery, name: SearchedField): string {
  const whole = indexedTexts.find((each) => each === name);
  return [query[`${name}Words`], whole && query[whole]].filter((text) => text !== undefined).join(' ');
}

/** Finds other words. The command succeeds even if the service cannot. */
async function findCorrections(client: Client, query: BookQuery): Promise<readonly Correction[]> {
  if (!hasWords(toFilter(query))) return [];
  try {
    return await client.corrections(query);
  } catch (error) {
    if (!(error instanceof ShelflistError)) throw error;
    return [];
  }
}

/** Words as the user may type them. */
function commandWords(words: Correction): string {
  const parts = searchedFields.map((name) => {
    const text = foldText(words[`${name}Words`] ?? '');
    if (text === '') return '';
    return `${wordsFlag(name)} ${text.includes(' ') ? `"${text}"` : text}`;
  });
  return [queryWords(words.q ?? '').join(' '), ...parts].filter((part) => part !== '').join(' ');
}

async function countBooks(client: Client, query: BookQuery): Promise<number> {
  const { total } = await client.page({ ...query, limit: 1, count: true }); // The smallest page has one book.
  if (total !== undefined) return total;
  throw new ShelflistError('unavailable', { message: 'the service cannot count so many books in time' });
}
