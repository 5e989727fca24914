import { hasSameFields, type Book, type BookPatch } from '../../catalogue/book.ts';
import { hasCode } from '../../catalogue/errors.ts';
import { CommandError } from '../command-error.ts';
import type { Client } from '../../client/client.ts';
import { counted, notice, type Io } from '../io.ts';
import { confirm, listIds, preview, writeBatch } from './batches.ts';

interface ChangeOptions {
  /** Do not ask. */
  readonly yes: boolean;
  readonly json: boolean;
}

/**
 * Gives books the same values as one batch, after showing some of them and asking. Skips books that others change meanwhile.
 *
 * @throws {CommandError} `failed`: declined, or some books were skipped; `interrupted`.
 */
export async function changeBooks(
  io: Io,
  client: Client,
  found: readonly Book[],
  patch: BookPatch,
  { yes, json }: ChangeOptions,
): Promise<void> {
  if (!yes && found.length > 0) {
    preview(io, found);
    await confirm(io, `Change ${counted(found.length, 'book')}?`, 'nothing was changed');
  }
  const { skipped } = await writeBatch(io, {
    items: found,
    json,
    write: (book, batch) => changeBook(client, book, patch, batch),
    report({ batch, done, skipped: left }) {
      left.sort((a, b) => a - b);
      if (json) return { batch, changed: done.sort((a, b) => a - b), left };
      notice(io, `changed ${counted(done.length, 'book')}`);
      if (left.length > 0) notice(io, `skipped ${counted(left.length, 'book')}: ${listIds(left)}`);
    },
  });
  if (skipped.length > 0)
    throw new CommandError('failed', {
      message: `skipped ${counted(skipped.length, 'book')} changed or deleted meanwhile`,
    });
}

/** Changes a book unless it has changed since it was found. */
async function changeBook(client: Client, book: Book, patch: BookPatch, batch: string): Promise<boolean> {
  try {
    const { book: now, tag } = await client.getTagged(book.id);
    if (!hasSameFields(now, book)) return false;
    await client.update(book.id, patch, { ifMatch: tag, batch });
    return true;
  } catch (error) {
    const isOther = hasCode(error, 'book_not_found', 'precondition_failed');
    if (isOther) return false;
    throw error;
  }
}
