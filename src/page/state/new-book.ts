import { newBatchId } from '../../catalogue/batch.ts';
import { type Book, type BookFields, hasSameFields, toBook } from '../../catalogue/book.ts';
import { wireErrorOf } from '../../catalogue/errors.ts';
import { changesBetween } from './editing.ts';
import { asServiceError, client } from './service.ts';
import { asObject, isHeaderText } from './signal.ts';

/** The name of the draft of a new book. */
export const addDraft = 'add';
/** The name of the draft of its attempts. */
export const attemptsDraft = 'attempts';

/** The attempts to add the book that is being typed. */
interface Attempts {
  /** The batch of all of them, and the key by which the service recognises a repeat. */
  readonly batch: string;
  /** The fields that were sent, while it is unknown whether they arrived. */
  readonly sent?: BookFields | undefined;
}

export function noAttempts(): Attempts {
  return { batch: newBatchId() };
}

export function isAttempts(kept: unknown): kept is Attempts {
  const { batch, sent } = asObject(kept);
  return isHeaderText(batch) && (sent === undefined || toBook({ ...asObject(sent), id: 1 }) !== undefined);
}

/**
 * Adds a book once: repeats an earlier attempt without an answer unchanged, and sends what was typed since as an update.
 *
 * @throws {ShelflistError}
 */
export async function addBook({ batch, sent }: Attempts, fields: BookFields): Promise<Book> {
  const book = await client.create(sent ?? fields, { batch, idempotencyKey: batch });
  return hasSameFields(book, fields) ? book : client.update(book.id, changesBetween(book, fields), { batch });
}

/** Whether a failed attempt may have added the book nevertheless. */
export function isUncertain(error: unknown): boolean {
  return wireErrorOf(asServiceError(error).code).status >= 500;
}
