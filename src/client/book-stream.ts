import { toBook, type Book } from '../book.ts';
import { unwrap } from '../envelope.ts';
import { ShelflistError } from '../errors.ts';
import { ArraySplitter } from '../json-array.ts';

/** An envelope up to the first element of its list, as the service writes it: `data` comes last. */
const listStart = /^\s*\{\s*"status"\s*:\s*\d+\s*,\s*"message"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"data"\s*:\s*\[/;

/**
 * Reads the envelope of a list as it arrives, and gives its books one by one. What does not begin as a list is read
 * whole, and judged as every other answer is.
 *
 * @throws {ShelflistError} The service's own error; or `bad_response` when it is no such envelope, or ends early.
 */
export async function* readBookStream(
  httpStatus: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Book, void, undefined> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const splitter = new ArraySplitter();
  let start: string | undefined; // Of the envelope, once it is whole.
  let held = '';
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true });
    if (start === undefined) {
      held += text;
      // Searches near the start only: otherwise a long answer without it would be searched again and again.
      if (held.length - text.length < longestStart) start = listStart.exec(held)?.[0];
      if (start === undefined) continue;
      text = held.slice(start.length);
    }
    yield* readElements(splitter, text);
    if (splitter.pendingLength > longestBook) throw notAList('it holds a book without end');
  }
  if (start === undefined) yield* readWhole(unwrap(httpStatus, held));
  else if (splitter.rest === undefined) throw notAList('it ends before its end');
  else unwrap(httpStatus, `${start}]${splitter.rest}`);
}

/** The list must begin within this many characters; otherwise the answer is read whole. */
const longestStart = 4096;

/** More than any store can hold of a book, in characters, each of them escaped. */
const longestBook = 128 * 1024 * 1024;

function* readElements(splitter: ArraySplitter, text: string): Generator<Book> {
  try {
    for (const element of splitter.push(text)) yield readBook(JSON.parse(element));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw notAList('it is no JSON');
  }
}

function* readWhole(data: unknown): Generator<Book> {
  if (!Array.isArray(data)) throw notAList('its data is no list');
  for (const value of data) yield readBook(value);
}

function readBook(value: unknown): Book {
  const book = toBook(value);
  if (book) return book;
  throw notAList('it holds something that is no book');
}

function notAList(problem: string): ShelflistError {
  return new ShelflistError('bad_response', {
    message: `the server's answer is no list of books: ${problem}`,
  });
}
