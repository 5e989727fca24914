import { hasSameFields, type Book } from '../../../catalogue/book.ts';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { newBatch } from '../../../catalogue/batch.ts';
import { client, readBook } from '../../state/service.ts';

/** Books that are alike, by id. */
export type Group = readonly Book[];

/** What a merge did: a batch, unless it deleted nothing; and why it ended early, if it did. */
export interface Merged {
  readonly deleted: readonly Book[];
  readonly batch: string;
  readonly error: ShelflistError | undefined;
}

/** Deletes the books of a group but one, as they are shown: a book that has changed meanwhile ends the merge. */
export async function merge(group: Group, keep: number): Promise<Merged> {
  const batch = newBatch();
  const deleted: Book[] = [];
  try {
    const tags = new Map<number, string>();
    for (const shown of group) {
      const { book, tag } = await readBook(shown.id);
      if (!hasSameFields(book, shown)) throw new ShelflistError('precondition_failed');
      tags.set(shown.id, tag);
    }
    for (const book of group.filter(({ id }) => id !== keep)) {
      await client.delete(book.id, { ifMatch: tags.get(book.id), batch });
      deleted.push(book);
    }
  } catch (error) {
    if (!(error instanceof ShelflistError)) throw error;
    return { deleted, batch, error };
  }
  return { deleted, batch, error: undefined };
}
