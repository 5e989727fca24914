import type { BookFields } from '../catalogue/book.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import { GenerationalCache } from '../lib/generational-cache.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { createSource, type LookUp } from './source.ts';

export type { LookUp } from './source.ts';

/** How long an answer is kept, even one without a book. */
const keptMs = 24 * 3_600_000;
/** At most twice as many answers are kept. */
const maxKept = 5000;
/** The maximum number of requests in flight to the source. Open Library allows three per second. */
const maxAtOnce = 3;
const maxWaitMs = 10_000;

interface Kept {
  readonly book: BookFields | undefined;
  readonly at: number;
}

/**
 * Looks books up at the source of a setting. Asks it for an ISBN at most once a day; failures are not kept.
 * Concurrent calls for the same ISBN share a request.
 */
export function createLookUp(setting: string, closing: AbortSignal = new AbortController().signal): LookUp {
  const ask = createSource(setting, closing);
  const kept = new GenerationalCache<string, Kept>(maxKept);
  const asking = new Map<string, Promise<BookFields | undefined>>();
  const slots = new Semaphore(maxAtOnce);
  const reason = () =>
    new ShelflistError('unavailable', { message: 'too many books are being looked up; try again' });
  const begin = async (isbn: string) => {
    try {
      const book = await slots.run(() => ask(isbn), closing, 0, { maxMs: maxWaitMs, reason });
      kept.set(isbn, { book, at: performance.now() });
      return book;
    } finally {
      asking.delete(isbn);
    }
  };
  return async (isbn) => {
    const known = kept.get(isbn);
    if (known !== undefined && performance.now() - known.at < keptMs) return known.book;
    let call = asking.get(isbn);
    if (call === undefined) asking.set(isbn, (call = begin(isbn)));
    return call;
  };
}
