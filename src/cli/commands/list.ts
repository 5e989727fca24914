import { Option, type Command } from 'commander';
import { wordMembers, type Correction } from '../../catalogue/correction.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import {
  fieldNames,
  indexedTexts,
  listFields,
  searchedFields,
  type SearchedField,
} from '../../catalogue/fields.ts';
import { foldText } from '../../catalogue/fold.ts';
import { hasWords, matchesEverything, sorts, toFilter, type BookQuery } from '../../catalogue/query.ts';
import { queryWords } from '../../catalogue/words.ts';
import { readPages, type Client } from '../../client/client.ts';
import type { PageOptions } from '../../client/operations.ts';
import { addFormatOptions, addServiceOptions, parseLimit, pickDefined } from '../arguments.ts';
import { addFilterOptions, addWords, queryOf, wordsFlag, type FilterOptions } from '../book-filter.ts';
import { notice, paragraph, programName, type Io, write } from '../io.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { writeBooks, writeRecord, type OutputOptions } from '../ui/records.ts';

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });
const searched = alternatives.format(searchedFields);
const wholeTextOptions = listFields(indexedTexts.map((name) => `--${name}`));
const wordOptions = listFields(searchedFields.map(wordsFlag));

const help = `
${paragraph(
  `Each of the words must begin a word in ${searched}, or be the year. ${wordOptions} search in one field only; ` +
    `${wholeTextOptions} match the whole text. Case, accents and punctuation are ignored, signs such as + and # are not.`,
)}
${paragraph(
  `On a terminal, the result is a table. In a pipe, each book is a line: ${listFields(['id', ...fieldNames])}, ` +
    'separated by tabs. --format json, ndjson and csv preserve every character. --format table writes a table to a pipe too.',
)}
Examples:
  $ shelflist list
  $ shelflist list austen em
  $ shelflist list --in-author "steph king" --in-title dark
  $ shelflist list --author "Jane Austen" --sort -year
  $ shelflist list --title emma --json | jq '.[].id'
  $ shelflist list --year 1815 --limit 10
  $ shelflist list war --year-from 1900 --year-to 1999 --count
  $ shelflist list --year-to=-1
  $ shelflist list --format csv --url https://books.example.org --username ada`;

interface ListOptions extends SessionOptions, OutputOptions, FilterOptions, Pick<BookQuery, 'sort'> {
  limit?: number;
  count?: boolean;
}

export function defineList(command: Command, io: Io): void {
  addFilterOptions(addWords(addFormatOptions(addServiceOptions(command))))
    .addOption(
      new Option('--sort <key>', 'the order (default: id); descending with a leading -').choices(
        sorts,
      ),
    )
    .option('--limit <count>', 'the maximum number of books', parseLimit)
    .addOption(
      new Option('--count', 'write only the number of books; not with --sort or --limit').conflicts([
        'sort',
        'limit',
      ]),
    )
    .addHelpText('after', help)
    .action((words: string[], options: ListOptions) => listBooks(io, words, options));
}

async function listBooks(io: Io, words: readonly string[], options: ListOptions): Promise<void> {
  const query = { ...queryOf(words, options), ...pickDefined(options, ['sort']) };
  if (options.count) {
    const count = await withSession(io, options, (client) => countBooks(client, query));
    if (options.json || options.format) await writeRecord(io, [{ name: 'count' }], { count }, options);
    else await write(io, `${count}\n`);
    return;
  }
  const { limit } = options;
  await withSession(io, options, async (client) => {
    const readPage = async (page: PageOptions) => {
      const { books: items, next } = await client.page({ ...query, ...page });
      return { items, next };
    };
    const books = limit === undefined ? client.iterate(query) : readPages(readPage, limit);
    const count = await writeBooks(io, books, options);
    // An empty catalogue needs no message.
    if (count > 0 || matchesEverything(toFilter(query)) || options.json) return;
    notice(io, `no book matches${(await findCorrections(client, query)) || searchHint(io, query)}`);
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

/** Proposes other words. The command succeeds even if the service cannot. */
async function findCorrections(client: Client, query: BookQuery): Promise<string> {
  if (!hasWords(toFilter(query))) return '';
  try {
    const corrections = await client.corrections(query);
    return corrections.length > 0
      ? `; did you mean: ${alternatives.format(corrections.map(commandWords))}?`
      : '';
  } catch (error) {
    if (!(error instanceof ShelflistError)) throw error;
    return '';
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
