import { toBook, type Book } from '../catalogue/book.ts';
import { unwrap } from '../catalogue/envelope.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import { JsonArrayParser } from '../lib/json/json-array-parser.ts';

/** An envelope up to the first element of its list, as the service writes it: `data` comes last. */
const listStart = /^\s*\{\s*"status"\s*:\s*\d+\s*,\s*"message"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"data"\s*:\s*\[/;

/** The list must start within this many characters, else the response is read whole. */
const maxStartLength = 4096;

/** More than any store can hold of a book, in characters, all of them escaped. */
const maxBookLength = 128 * 1024 * 1024;

/**
 * Reads the envelope of a list while it arrives; yields its books one by one. A response that does not start as a list is
 * read whole, like any other response.
 *
 * @throws {ShelflistError} The error of the service; or `bad_response`: it is not such an envelope, or is truncated.
 */
export async function* readBookStream(
  httpStatus: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Book, void, undefined> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parser = new JsonArrayParser({
    read: (text) => readBook(JSON.parse(text)),
    fail: () => notAList('it is not JSON'),
    isOpen: true,
  });
  let start: string | undefined; // Of the envelope, once it is complete.
  let held = '';
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true });
    if (start === undefined) {
      held += text;
      // Searches near the start only: otherwise a long response without it would be searched again and again.
      if (held.length - text.length < maxStartLength) start = listStart.exec(held)?.[0];
      if (start === undefined) continue;
      text = held.slice(start.length);
    }
    yield* parser.push(text);
    if (parser.pendingLength > maxBookLength) throw notAList('a book in it is too long');
  }
  if (start === undefined) yield* readWhole(unwrap(httpStatus, held));
  else if (parser.rest === undefined) throw notAList('it is truncated');
  else unwrap(httpStatus, `${start}]${parser.rest}`);
}

function* readWhole(data: unknown): Generator<Book> {
  if (!Array.isArray(data)) throw notAList('its data is not an array');
  for (const value of data) yield readBook(value);
}

function readBook(value: unknown): Book {
  const book = toBook(value);
  if (book) return book;
  throw notAList('an element is not a book');
}

function notAList(reason: string): ShelflistError {
  return new ShelflistError('bad_response', {
    message: `the server's response is not a list of books: ${reason}`,
  });
}
