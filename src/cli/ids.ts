import { InvalidArgumentError } from 'commander';
import { parseId, type Book } from '../catalogue/book.ts';
import { hasCode, ShelflistError } from '../catalogue/errors.ts';
import { readPages, type Client } from '../client/client.ts';
import { eachAtOnce } from '../lib/semaphore.ts';
import { CommandError } from './command-error.ts';
import { notice, type Io } from './io.ts';

/** The ids from `first` to `last`. A single id is a range of one. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** The maximum number of requests that a command has in flight. */
export const maxInFlight = 32;
/** The largest ranges that are looked up book by book; larger ones are read from the list of all books. */
const maxLookups = 1000;
const maxQuoted = 40;

/** Whether an argument stands for ids: it is `-`, or begins as a range, or has digits but no letters. */
export function looksLikeIds(argument: string): boolean {
  return argument === '-' || /^\s*[0-9]+(?:\.\.|[0-9.,\s-]*$)/.test(argument);
}

/** Collects the words of a variadic argument that takes ids only. {@link readIds} reads them. */
export function collectIds(value: string, previous: readonly string[] = []): string[] {
  const problem = value === '-' ? undefined : parseRanges(value).find((each) => typeof each === 'string');
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return [...previous, value];
}

/**
 * Reads ids and ranges; those on standard input for `-`. Each range once, in their order.
 *
 * @throws {CommandError} `usage`: some text is neither.
 */
export async function readIds(io: Io, words: readonly string[]): Promise<IdRange[]> {
  const ranges = new Map<string, IdRange>();
  const add = (text: string, describe: (text: string) => string) => {
    for (const range of parseRanges(text)) {
      if (typeof range === 'string')
        throw new CommandError('usage', {
          message: `invalid ${describe(text.slice(0, maxQuoted))}: ${range}`,
        });
      ranges.set(`${range.first}-${range.last}`, range);
    }
  };
  for (const word of words)
    if (word !== '-') add(word, (text) => `id '${text}'`);
    else
      for (const text of splitIds(await readInput(io)))
        add(text, (part) => `${JSON.stringify(part)} on standard input`);
  return [...ranges.values()];
}

function splitIds(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

/** Reads ids and ranges that commas or spaces separate. An invalid one gives what is wrong with it. */
function parseRanges(text: string): (IdRange | string)[] {
  const parts = splitIds(text);
  return parts.length === 0 ? [expected] : parts.map(parseRange);
}

const expected = 'expected an id from 1 to 2^53-1, or a range such as 3-7';

function parseRange(text: string): IdRange | string {
  const [, start = text, separator = '-', end = start] = /^(.*?)(\.\.|-)(.*)$/.exec(text) ?? [];
  const [first, last] = [parseId(start), parseId(end)];
  if (first === undefined || last === undefined) return expected;
  return first <= last ? { first, last } : `the range is reversed; did you mean ${last}${separator}${first}?`;
}

async function readInput(io: Io): Promise<string> {
  const { stdin } = io;
  if (stdin.isTTY === true) notice(io, 'reading ids from standard input; end with Ctrl-D');
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) text += chunk as string;
  return text;
}

export function isSingle({ first, last }: IdRange): boolean {
  return first === last;
}

export function isInRanges(ranges: readonly IdRange[], id: number): boolean {
  return ranges.some(({ first, last }) => first <= id && id <= last);
}

/** The ids of ranges, each once; `undefined` for more than are looked up one by one. */
export function listRanges(ranges: readonly IdRange[]): number[] | undefined {
  const count = ranges.reduce((sum, { first, last }) => sum + (first === last ? 0 : last - first + 1), 0);
  if (count > maxLookups) return undefined;
  const idsOf = ({ first, last }: IdRange) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return [...new Set(ranges.flatMap(idsOf))];
}

/** Finds the book of an id; `undefined` if there is none. */
type FindBook<Found> = (client: Client, id: number) => Promise<Found | undefined>;

export interface ReadingOptions {
  /** What the error of a missing book adds, if there are several ids: `nothing was deleted`. */
  readonly consequence?: string;
  readonly signal?: AbortSignal;
}

/**
 * The books of ids, in their order; those of large ranges by id. A range selects the books that exist.
 *
 * @throws {ShelflistError} `book_not_found`: a single id has no book. It is probably mistyped.
 */
export async function* booksOfIds<Found extends Pick<Book, 'id'>>(
  client: Client,
  ranges: readonly IdRange[],
  find: FindBook<Found>,
  { consequence, signal }: ReadingOptions = {},
): AsyncGenerator<Found | Book, void, undefined> {
  const found = new Map<number, Found>();
  const lookUp = (ids: readonly number[]) =>
    eachAtOnce(ids, maxInFlight, async (id) => {
      signal?.throwIfAborted();
      const book = await find(client, id);
      if (book !== undefined) found.set(id, book);
    });
  const single = ranges.filter(isSingle).map(({ first }) => first);
  await lookUp(single);
  const missing = single.filter((id) => !found.has(id)).sort((a, b) => a - b);
  if (missing.length > 0) throw notFound(missing, ranges.length > 1 ? consequence : undefined);
  const ids = listRanges(ranges);
  if (ids === undefined) {
    for await (const book of client.iterate(undefined, { ...(signal && { signal }) }))
      if (isInRanges(ranges, book.id)) {
        found.delete(book.id);
        yield book;
      }
    yield* found.values(); // The list leaves out records that are not books.
    return;
  }
  await lookUp(ids.filter((id) => !found.has(id)));
  for (const id of ids) {
    const book = found.get(id);
    if (book !== undefined) yield book;
  }
}

/** The ids of ranges whose books may have earlier states: those of deleted books, too. Of large ranges, only ids that have had a book. */
export async function listHistoricalIds(client: Client, ranges: readonly IdRange[]): Promise<number[]> {
  const listed = listRanges(ranges);
  if (listed !== undefined) return listed;
  const ids = new Set(ranges.filter(isSingle).map(({ first }) => first));
  for await (const { id } of client.iterate()) if (isInRanges(ranges, id)) ids.add(id);
  for await (const { id } of readPages((page) => client.trash(page))) if (isInRanges(ranges, id)) ids.add(id);
  return [...ids].sort((a, b) => a - b);
}

function notFound(ids: readonly number[], consequence: string | undefined): ShelflistError {
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(ids.map(String));
  return new ShelflistError('book_not_found', {
    message: `book ${names} not found${consequence === undefined ? '' : `; ${consequence}`}`,
  });
}

export async function findBook(client: Client, id: number): Promise<Book | undefined> {
  try {
    return await client.get(id);
  } catch (error) {
    if (hasCode(error, 'book_not_found')) return undefined;
    throw error;
  }
}
