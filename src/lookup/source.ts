import { version } from '../../package.json';
import { textLength, type BookFields } from '../catalogue/book.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import { readOpenLibrary, readSru } from './answers.ts';

/** The Books API (https://openlibrary.org/dev/docs/api/books). One request has the authors, too. */
const openLibrary = 'https://openlibrary.org/api/books?bibkeys=ISBN:{isbn}&jscmd=data&format=json';

const timeoutMs = 5000;
const maxAnswerBytes = 2 ** 20;
const maxRedirects = 3;
/** Answers are kept in memory. No book has a title and authors of this length, in UTF-16 code units. */
const maxBookLength = 4000;

/** Finds the book with an ISBN; `undefined` if none is known. */
export type LookUp = (isbn: string) => Promise<BookFields | undefined>;

/**
 * Creates the function that asks a source for a book. The request contains the number, and nothing of the catalogue or its users.
 *
 * @param setting `openlibrary`, or an address with `{isbn}` that answers like Open Library, or as SRU in MARCXML.
 * @param closing Ends a request.
 */
export function createSource(setting: string, closing: AbortSignal): LookUp {
  const address = setting === 'openlibrary' ? openLibrary : setting;
  return async (isbn) => {
    const url = new URL(address.replaceAll('{isbn}', isbn));
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await request(url, AbortSignal.any([timeout, closing]));
      const text = await readText(response);
      const book = text.trimStart().startsWith('<') ? await readSru(text) : readOpenLibrary(text);
      if (book !== undefined && textLength(book) > maxBookLength)
        throw new Error('the texts of its book are too long');
      return book;
    } catch (cause) {
      const reason = timeout.aborted ? `no complete answer within ${timeoutMs / 1000} s` : reasonOf(cause);
      const message = `${url.host}, where books are looked up, failed: ${reason}`;
      throw new ShelflistError('unavailable', {
        message,
        cause,
        ...(cause instanceof BusyError && { retryAfter: cause.seconds }),
      });
    }
  };
}

/** The source asks for a pause. */
class BusyError extends Error {
  readonly seconds: number;

  constructor(seconds: number) {
    super('it is busy');
    this.seconds = seconds;
  }
}

/** The maximum wait that is passed on, in seconds. */
const maxPauseSeconds = 60;

/** Requests an address. Follows redirects within its origin only: another host could be in the private network of this machine. */
async function request(from: URL, signal: AbortSignal): Promise<Response> {
  const headers = {
    Accept: 'application/json, application/xml;q=0.9, text/xml;q=0.9',
    'User-Agent': `shelflist/${version}`,
  };
  let url = from;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url.href, { headers, signal, redirect: 'manual' });
    const { status } = response;
    if (response.ok) return response;
    await response.body?.cancel();
    if (status === 429 || status === 503) {
      const seconds = Number(response.headers.get('Retry-After') ?? '');
      throw new BusyError(Math.min(Math.max(1, Math.ceil(seconds) || 5), maxPauseSeconds));
    }
    const location = response.headers.get('Location');
    if (status < 300 || status >= 400 || location === null) throw new Error(`HTTP status ${status}`);
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next?.origin !== from.origin) throw new Error('it redirects to another origin; name its new address');
    if (redirects === maxRedirects) throw new Error('it redirects too often');
    url = next;
  }
}

/** @throws {Error} The body is too long, or not UTF-8. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new Error('its answer is longer than 1 MiB');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A short reason: `fetch` hides that of a connection in its cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  if (!(cause instanceof Error)) return message;
  const { code } = cause as NodeJS.ErrnoException;
  return code ?? cause.message;
}
