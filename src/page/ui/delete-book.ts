import { hasSameFields, type Book } from '../../catalogue/book.ts';
import { newBatch } from '../../catalogue/batch.ts';
import { list } from '../state/list/window-of-page.ts';
import { client, readBook } from '../state/service.ts';
import { texts } from '../texts/current.ts';
import { showToast } from './toast.tsx';
import { showDone, showFailure } from './undo.ts';

/**
 * Deletes a book as it is shown; says so, and offers to undo it. A book that others have changed meanwhile is not deleted, but
 * shown. Returns whether it was deleted.
 */
export async function deleteShown(shown: Book): Promise<boolean> {
  const { id } = shown;
  const batch = newBatch();
  try {
    const { book, tag } = await readBook(id);
    if (!hasSameFields(book, shown)) {
      list.change(id, () => book);
      showToast({ text: texts.changing.changedMeanwhile, look: 'failed' });
      return false;
    }
    await client.delete(id, { ifMatch: tag, batch });
  } catch (error) {
    showFailure(error);
    return false;
  }
  list.change(id, () => undefined);
  showDone(texts.changing.deleted(1), batch);
  void list.refresh();
  return true;
}
