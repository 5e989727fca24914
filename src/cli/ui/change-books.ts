import type { Book, BookPatch } from '../../catalogue/book.ts';
import type { Client } from '../../client/client.ts';
import { counted, notice, type Io } from '../io.ts';
import { confirm, failIfSkipped, noteSkipped, preview, runEdit } from './batches.ts';

interface ChangeOptions {
  /** Do not ask. */
  readonly yes: boolean;
  readonly json: boolean;
  /** Called when all is written, with the ids that were skipped. */
  readonly onWritten?: (skipped: readonly number[]) => Promise<unknown>;
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
  { yes, json, onWritten }: ChangeOptions,
): Promise<void> {
  if (!yes && found.length > 0) {
    preview(io, found);
    await confirm(io, `Change ${counted(found.length, 'book')}?`, 'nothing was changed');
  }
  const { skipped } = await runEdit(io, client, {
    total: found.length,
    json,
    write: (edit, signal) => edit.change(found, patch, signal),
    report({ batch, done, skipped: left }) {
      left.sort((a, b) => a - b);
      if (json) return { batch, changed: done.sort((a, b) => a - b), left };
      notice(io, `changed ${counted(done.length, 'book')}`);
      noteSkipped(io, left);
    },
  });
  await onWritten?.(skipped);
  failIfSkipped(skipped);
}
