import { hasSameFields, toBook, type Book, type BookFields } from '../../../catalogue/book.ts';
import { newBatch } from '../../../catalogue/batch.ts';
import { asServiceError, client } from '../service.ts';
import { asObject, isHeaderText } from '../session-storage.ts';
import { changesBetween } from './draft.ts';

/** The attempts to add the book that is being typed. */
export interface Attempts {
  /** The batch of all of them, and the key by which the service recognises a repeat. */
  readonly batch: string;
  /** What was sent, as long as it is not known whether it arrived. */
  readonly sent?: BookFields | undefined;
}

export function noAttempts(): Attempts {
  return { batch: newBatch() };
}

export function isAttempts(kept: unknown): kept is Attempts {
  const { batch, sent } = asObject(kept);
  return isHeaderText(batch) && (sent === undefined || toBook({ ...asObject(sent), id: 1 }) !== undefined);
}

/**
 * Adds a book, once: an earlier attempt without an answer is repeated as it was, and what was typed since is a change.
 *
 * @throws {ShelflistError}
 */
export async function addBook({ batch, sent }: Attempts, fields: BookFields): Promise<Book> {
  const book = await client.create(sent ?? fields, { batch, idempotencyKey: batch });
  return hasSameFields(book, fields) ? book : client.update(book.id, changesBetween(book, fields), { batch });
}

/** Whether a failed attempt may have added the book nevertheless. */
export function isUncertain(error: unknown): boolean {
  const { status } = asServiceError(error);
  return status === 0 || status >= 500;
}
