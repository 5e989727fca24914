// Text to rows: a list of ISBNs, one a line, whose books the service looks up.
import { fieldNames, mapFields, type BookFields } from '../catalogue/fields.ts';
import { hasCode } from '../catalogue/errors.ts';
import { isbnDigits, parseIsbn } from '../catalogue/isbn.ts';
import { FileError } from '../formats/problems.ts';
import { maxRecordLength } from '../formats/record.ts';
import { type Line, LineSplitter } from '../lib/json.ts';
import { pause } from '../lib/pause.ts';
import { checkYear, shown } from './read-fields.ts';
import type { BookRow, ReadOptions } from './row.ts';

/** The numbers that are looked up ahead of the row that is read. */
const maxAhead = 3;
/** No number is longer, in characters. */
const maxShownLength = 1000;
const maxAttempts = 4;

/** What a scanner or a spreadsheet may write above the numbers. */
const heading = /^"?isbns?(?:[-\s]?1[03])?"?$/i;

/** Whether a text begins with a line that is an ISBN, perhaps below a heading. */
export function isIsbnList(start: string): boolean {
  const [first = '', second = ''] = start.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return isbnDigits(heading.test(first.trim()) ? second : first) !== undefined;
}

/** Reads a list of ISBNs. @throws {FileError} `noLookup`: nobody looks them up. @throws {ShelflistError} As the look-up does. */
export async function* readIsbnRows(
  pieces: AsyncIterable<string>,
  { onStart, lookUp, needsYear = false, signal }: ReadOptions,
): AsyncGenerator<BookRow> {
  if (lookUp === undefined) throw new FileError({ code: 'noLookup' });
  onStart({ format: 'isbn', mapping: mapFields(fieldNames, () => ({ name: 'ISBN', at: -1 })) });
  const read = async (text: string, line: number): Promise<BookRow> => {
    const row = { line, unit: 'line', original: text } as const;
    const isbn = parseIsbn(text);
    if (isbn === undefined) return { ...row, problem: { code: 'badIsbn', shown: shown(text) } };
    const book = await lookUpPatiently(lookUp, isbn, signal);
    if (book === undefined) return { ...row, problem: { code: 'unknownIsbn', isbn } };
    return { ...row, ...checkYear(book, [], needsYear ? 'required' : 'any') };
  };
  const ahead: Promise<BookRow>[] = [];
  for await (const { text: whole, line } of linesOf(pieces)) {
    const text = whole.slice(0, maxShownLength).trim();
    if (text === '' || heading.test(text)) continue;
    const row = read(text, line);
    row.catch(() => undefined); // Those before are yielded first.
    ahead.push(row);
    const next = ahead.length > maxAhead ? ahead.shift() : undefined;
    if (next !== undefined) yield await next;
  }
  for (const row of ahead) yield await row;
}

/** Looks a number up. The source may be busy: it is asked again after the pause that the service names. */
async function lookUpPatiently(
  lookUp: NonNullable<ReadOptions['lookUp']>,
  isbn: string,
  signal = new AbortController().signal,
): Promise<BookFields | undefined> {
  for (let attempt = 1; ; attempt++)
    try {
      return await lookUp(isbn, signal);
    } catch (error) {
      if (hasCode(error, 'book_not_found')) return undefined;
      if (hasCode(error, 'not_found')) throw new FileError({ code: 'noLookup' }, { cause: error });
      if (!hasCode(error, 'unavailable') || attempt === maxAttempts || signal.aborted) throw error;
      await pause(1000 * (error.retryAfter ?? 1), signal);
    }
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line> {
  const splitter = new LineSplitter({ endsAtReturn: true });
  for await (const piece of pieces) {
    yield* splitter.push(piece);
    if (splitter.pendingLength > maxRecordLength)
      throw new FileError({ code: 'rowTooLong', unit: 'line', number: splitter.line });
  }
  yield splitter.rest();
}
