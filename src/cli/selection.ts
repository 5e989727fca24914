import type { Command } from 'commander';
import type { Book } from '../catalogue/book.ts';
import { matches, matchesEverything, toFilter, type BookQuery } from '../catalogue/query.ts';
import { readPages, type Client } from '../client/client.ts';
import { addFilterOptions, queryOf, searched, type FilterOptions } from './book-filter.ts';
import { CommandError } from './command-error.ts';
import {
  booksOfIds,
  findBook,
  isInRanges,
  isSingle,
  looksLikeIds,
  readIds,
  type IdRange,
  type ReadingOptions,
} from './ids.ts';
import { paragraph, type Io } from './io.ts';

/**
 * The books that a command line selects: by ids, or by words and filters. It means the same in each command, but commands that
 * write neither correct words nor take parts of words.
 */
export type Selection = { readonly ids: readonly IdRange[] } | { readonly query: BookQuery };

export interface SelectionOptions extends FilterOptions {
  words?: string;
}

/** What the help of a command says about its selection. */
export const selectionHelp = paragraph(
  'BOOKS are ids (7), ranges (3-7), or - for ids on standard input. Otherwise they are words, and select books as in ' +
    '`shelflist list`. --words takes words of digits: `--words 1984`. A range selects the books that exist.',
);

/** Adds the arguments and options that select books. @param filters Which filters: as of {@link addFilterOptions}. */
export function addSelection(command: Command, filters?: { readonly hasWhole: boolean }): Command {
  command
    .argument('[books...]', `ids, ranges or - (see below); else words, or their beginnings, in ${searched}`)
    .option('--words <words>', 'words, also of digits only', joinWords);
  return addFilterOptions(command, filters);
}

/** Repeated, the option narrows the selection, as more words do: the last one alone would widen it. */
function joinWords(value: string, before?: string): string {
  return before === undefined ? value : `${before} ${value}`;
}

/** @throws {CommandError} `usage`: the arguments are neither ids nor words, or both. */
export async function readSelection(
  io: Io,
  books: readonly string[],
  { words, ...filters }: SelectionOptions,
): Promise<Selection> {
  if (books.length === 0 || !books.every(looksLikeIds))
    return { query: queryOf(words === undefined ? books : [...books, words], filters) };
  if (words !== undefined || !matchesEverything(toFilter(queryOf([], filters))))
    throw new CommandError('usage', { message: 'name ids, or words and filters, but not both' });
  return { ids: await readIds(io, books) };
}

/**
 * The selection of a command that writes. Something that may be a mistyped id is no word.
 *
 * @throws {CommandError} `usage`: as {@link readSelection}; or nothing is selected, unless `all` says so.
 */
export async function readSelectionToWrite(
  io: Io,
  books: readonly string[],
  { all, orAll = '', ...options }: SelectionOptions & { all?: boolean; orAll?: string },
): Promise<Selection> {
  const number = books.find((each) => looksLikeIds(each) || /^[^\p{L}]*\p{N}/u.test(each));
  if (number !== undefined && !books.every(looksLikeIds))
    throw new CommandError('usage', {
      message: `name ids, or words, but not both: ${JSON.stringify(books.join(' '))}; for words with digits, use --words`,
    });
  const selection = await readSelection(io, books, options);
  if (isEverything(selection) !== (all === true))
    throw new CommandError('usage', { message: `name ids, or words and filters that select books${orAll}` });
  return selection;
}

/** Whether nothing was selected, which is every book. */
export function isEverything(selection: Selection): boolean {
  return 'query' in selection && matchesEverything(toFilter(selection.query));
}

/** The number of books; `undefined` if only the service knows it. */
export function countOf(selection: Selection): number | undefined {
  return 'ids' in selection && selection.ids.every(isSingle) ? selection.ids.length : undefined;
}

/** The id, if the selection is a single one. */
export function singleIdOf(selection: Selection): number | undefined {
  return countOf(selection) === 1 && 'ids' in selection ? selection.ids[0]?.first : undefined;
}

/**
 * The selected books: of a query by id, of ids in their order.
 *
 * @throws {ShelflistError} `book_not_found`: a single id has no book.
 * @throws {CommandError} `usage`: some word begins no word of any book.
 */
export function selectedBooks(
  client: Client,
  selection: Selection,
  options: ReadingOptions = {},
): AsyncGenerator<Book, void, undefined> {
  return 'ids' in selection
    ? booksOfIds(client, selection.ids, findBook, options)
    : booksOfQuery(client, selection.query, options);
}

/**
 * The books of a query, by id, to change, delete or export all of them.
 *
 * @throws {CommandError} `usage`: some word of the query begins no word of any book. Books with words that contain it are listed, but
 * may not be those that are meant. Other requests can change this between two pages.
 */
export function booksOfQuery(
  client: Pick<Client, 'page'>,
  query: BookQuery,
  { signal }: ReadingOptions = {},
): AsyncGenerator<Book, void, undefined> {
  return readPages(async (page) => {
    const {
      items: books,
      next,
      match,
    } = await client.page({ ...query, ...page, sort: 'id' }, { ...(signal && { signal }) });
    if (match === 'parts')
      throw new CommandError('usage', {
        message:
          'at least one of these words begins no word of any book; write whole words, as `shelflist list` shows them',
      });
    return { items: books, next };
  });
}

/** Selects among books that the command has already. */
export function selectorOf(selection: Selection): (book: Book) => boolean {
  if ('ids' in selection) return ({ id }) => isInRanges(selection.ids, id);
  const filter = toFilter(selection.query);
  return (book) => matches(filter, book);
}
