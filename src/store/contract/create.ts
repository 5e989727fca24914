// Checks the arguments of createMany, and the repeat keys that make it safe to send again.
import type { BookFields } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { originOf, type Origin } from './history.ts';
import type { CreateManyOptions, RepeatKey } from './store.ts';

/** The maximum number of books of one `createMany` or `findSame`. */
export const maxBooksAtOnce = 1000;

/** How long a repeat key is kept after its books were stored, in milliseconds. */
export const repeatKeyMs = 86_400_000;

export interface NewBooks<Fields = BookFields> extends Origin {
  readonly books: readonly Fields[];
  readonly repeat: RepeatKey | undefined;
}

/** Checks the arguments of `createMany`. @throws {ShelflistError} `invalid_input`; `invalid_query` for the key. */
export function checkNewBooks<Fields extends Partial<BookFields>>(
  books: readonly Fields[],
  options: CreateManyOptions = {},
): NewBooks<Fields> {
  checkCount(books.length);
  const { repeat } = options;
  if (repeat !== undefined && !isRepeatKey(repeat.key))
    throw new ShelflistError('invalid_query', {
      message: 'a repeat key is not 1 to 80 visible ASCII characters',
    });
  return { books, repeat, ...originOf(options) };
}

/** @throws {ShelflistError} `invalid_input`: there are too many books. */
export function checkCount(count: number): void {
  if (count > maxBooksAtOnce)
    throw new ShelflistError('invalid_input', { message: `more than ${maxBooksAtOnce} books at once` });
}

function isRepeatKey(key: unknown): boolean {
  return typeof key === 'string' && /^[!-~]{1,80}$/.test(key);
}

/** @throws {ShelflistError} `key_reused`: a key was stored with the digest of another request. */
export function checkDigest({ digest }: RepeatKey, stored: string): void {
  if (digest !== stored) throw new ShelflistError('key_reused');
}
