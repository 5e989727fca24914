// Checks the arguments of createMany, and the idempotency keys that make it safe to send again.
import type { BookFields } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { attributionOf, checkAttribution, type Attribution } from './history.ts';
import type { CreateManyOptions, IdempotencyKey } from './store.ts';

/** The maximum number of books of one `createMany` or `findDuplicatesOf`. */
export const maxBooksAtOnce = 1000;

/** How long an idempotency key is kept after its books were stored, in milliseconds. */
export const idempotencyKeyMs = 86_400_000;

export interface NewBooks<Fields = BookFields> extends Attribution {
  readonly books: readonly Fields[];
  readonly idempotencyKey: IdempotencyKey | undefined;
}

/** Checks the arguments of `createMany`. @throws {ShelflistError} `invalid_input`; `invalid_query` for the key. */
export function checkNewBooks(books: readonly unknown[], options: CreateManyOptions = {}): void {
  checkCount(books.length);
  const { idempotencyKey: repeat } = options;
  if (repeat !== undefined && !isIdempotencyKey(repeat.key))
    throw new ShelflistError('invalid_query', {
      message: 'an idempotency key is not 1 to 80 visible ASCII characters',
    });
  checkAttribution(options);
}

/** The arguments of `createMany`. */
export function newBooksOf<Fields extends Partial<BookFields>>(
  books: readonly Fields[],
  { idempotencyKey: repeat, ...options }: CreateManyOptions = {},
): NewBooks<Fields> {
  return { books, idempotencyKey: repeat, ...attributionOf(options) };
}

/** @throws {ShelflistError} `invalid_input`: there are too many books. */
export function checkCount(count: number): void {
  if (count > maxBooksAtOnce)
    throw new ShelflistError('invalid_input', { message: `more than ${maxBooksAtOnce} books at once` });
}

function isIdempotencyKey(key: unknown): boolean {
  return typeof key === 'string' && /^[!-~]{1,80}$/.test(key);
}

/** @throws {ShelflistError} `key_reused`: a key was stored with the digest of another request. */
export function checkDigest({ digest }: IdempotencyKey, stored: string): void {
  if (digest !== stored) throw new ShelflistError('key_reused');
}
