import { Buffer } from 'node:buffer';
import { parseBookFields, type BookFields } from '../book.ts';
import { ShelflistError } from '../errors.ts';
import { ArraySplitter } from '../json-array.ts';
import { LineSplitter, type Line } from '../json-lines.ts';
import type { BookStore } from '../store/store.ts';

/** What a body holds of one book: a JSON value, which may be none, or why it cannot be read. */
export type Element = {
  /** Its line, counted from 1; in an array, its place. */
  line: number;
} & ({ value: unknown } | { reason: string });

/** What became of many books: the ids of those that were stored, in their order, and why the others were not. */
export interface Imported {
  ids: number[];
  rejected: { line: number; message: string }[];
}

/** Books that are handed to the store at once: more would keep other requests waiting. */
const booksAtOnce = 1000;
/** More than so many is a body that was not meant to be books. */
const maxRejected = 10_000;

/**
 * Reads a JSON array element by element.
 *
 * @param limitBytes The longest that an element may be.
 * @throws {ShelflistError} `invalid_input`: it is no JSON array in UTF-8.
 */
export async function* readArray(
  body: AsyncIterable<Uint8Array>,
  limitBytes: number,
): AsyncGenerator<Element> {
  const splitter = new ArraySplitter();
  let line = 0;
  let isOpen = false;
  try {
    for await (const chunk of decode(body)) {
      const text = isOpen ? chunk : chunk.replace(/^[ \t\r\n]+/, '');
      if (text === '') continue;
      if (!isOpen && !text.startsWith('[')) throw notAnArray();
      for (const element of splitter.push(isOpen ? text : text.slice(1))) {
        const value: unknown = JSON.parse(element);
        line++;
        yield isLonger(element, limitBytes) ? { line, reason: tooLong(limitBytes) } : { line, value };
      }
      isOpen = true;
    }
  } catch (error) {
    throw error instanceof SyntaxError ? notAnArray() : error;
  }
  if (splitter.rest === undefined || !/^[ \t\r\n]*$/.test(splitter.rest)) throw notAnArray();
}

/**
 * Reads NDJSON line by line; empty lines are counted and passed over.
 *
 * @param limitBytes The longest that a line may be.
 * @throws {ShelflistError} `invalid_input`: it is no UTF-8.
 */
export async function* readLines(
  body: AsyncIterable<Uint8Array>,
  limitBytes: number,
): AsyncGenerator<Element> {
  const splitter = new LineSplitter();
  for await (const chunk of decode(body))
    for (const line of splitter.push(chunk)) yield* readLine(line, limitBytes);
  yield* readLine(splitter.rest(), limitBytes);
}

function* readLine({ line, text }: Line, limitBytes: number): Generator<Element> {
  if (text.trim() === '') return;
  if (isLonger(text, limitBytes)) yield { line, reason: tooLong(limitBytes) };
  else {
    try {
      yield { line, value: JSON.parse(text) };
    } catch {
      yield { line, reason: 'not JSON' };
    }
  }
}

function isLonger(text: string, limitBytes: number): boolean {
  return text.length > limitBytes || Buffer.byteLength(text) > limitBytes;
}

function tooLong(limitBytes: number): string {
  return `longer than ${limitBytes} bytes`;
}

async function* decode(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? invalid('the body is not UTF-8') : error;
  }
}

/**
 * Stores the books of a body. Nothing is stored before all of the body is read and known to be one: who is refused
 * has stored nothing.
 *
 * @throws {ShelflistError} `invalid_input`; `unavailable`, when some may be stored and others not.
 */
export async function importBooks(store: BookStore, elements: AsyncIterable<Element>): Promise<Imported> {
  const books: BookFields[] = [];
  const imported: Imported = { ids: [], rejected: [] };
  for await (const element of elements) {
    const parsed = 'reason' in element ? element.reason : parseBook(element.value);
    if (typeof parsed !== 'string') books.push(parsed);
    else if (imported.rejected.push({ line: element.line, message: parsed }) > maxRejected)
      throw invalid(`more than ${maxRejected} of them are no books`);
  }
  for (let start = 0; start < books.length; start += booksAtOnce) {
    // What waits at the same moment shares a commit, or a step of the counter and a round trip.
    const stored = await Promise.all(
      books.slice(start, start + booksAtOnce).map((fields) => store.create(fields)),
    );
    for (const { id } of stored) imported.ids.push(id);
  }
  return imported;
}

/** The fields of a book, or why it is none. */
function parseBook(value: unknown): BookFields | string {
  try {
    return parseBookFields(value);
  } catch (error) {
    if (error instanceof ShelflistError) return error.message;
    throw error;
  }
}

function notAnArray(): ShelflistError {
  return invalid('the body is not a JSON array');
}

function invalid(message: string): ShelflistError {
  return new ShelflistError('invalid_input', { message });
}
