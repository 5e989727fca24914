import { hasSameFields, toBook, type Book, type BookFields } from '../../../catalogue/book.ts';
import { indexedTexts, mapFields } from '../../../catalogue/fields.ts';
import { maxLimit } from '../../../catalogue/query-string.ts';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { asServiceError } from '../../api/api-error.ts';
import { newBatch } from '../../../catalogue/batch.ts';
import { countCreated } from '../../api/batches.ts';
import { createBook, readBook, readPage, updateBook } from '../../api/books.ts';
import { asObject, isHeaderText } from '../session-storage.ts';
import { changesBetween } from './draft.ts';

/** The attempts to add the book that is being typed. */
export interface Attempts {
  /** The batch of all of them: the service knows by it whether one has succeeded. */
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

/** The book that was added; or one that an attempt without an answer may have added. */
export type Added = { readonly book: Book | undefined } | { readonly maybe: Book };

/**
 * Adds a book, unless an earlier attempt has: a user who tries again after a lost answer must not have it twice.
 *
 * @throws {ShelflistError}
 */
export async function addBook({ batch, sent }: Attempts, fields: BookFields): Promise<Added> {
  if (sent === undefined) return { book: await createBook(fields, batch) };
  const isAdded = await hasCreated(batch);
  const newest = await findNewest(sent);
  if (!isAdded && newest !== undefined) return { maybe: newest };
  if (!isAdded) return { book: await createBook(fields, batch) };
  // What was typed after the attempt is not lost.
  if (newest !== undefined && !hasSameFields(newest, fields)) {
    const { tag } = await readBook(newest.id);
    return { book: await updateBook(newest.id, changesBetween(newest, fields), tag, batch) };
  }
  return { book: newest };
}

/** Whether a failed attempt may have added the book nevertheless. */
export function isUncertain(error: unknown): boolean {
  const { status } = asServiceError(error);
  return status === 0 || status >= 500;
}

/** A service that keeps no history knows of no batch. */
async function hasCreated(batch: string): Promise<boolean> {
  try {
    return (await countCreated(batch)) > 0;
  } catch (error) {
    if (error instanceof ShelflistError && error.code === 'not_found') return false;
    throw error;
  }
}

/** The newest book with these fields. */
async function findNewest(fields: BookFields): Promise<Book | undefined> {
  const words = mapFields(indexedTexts, (name) => fields[name]);
  const { books } = await readPage({ ...words, sort: '-id' }, { limit: maxLimit });
  return books.find((book) => hasSameFields(book, fields));
}
