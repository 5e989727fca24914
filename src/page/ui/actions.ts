import { newBatchId } from '../../catalogue/batch.ts';
import { type Book, type BookPatch, hasSameFields } from '../../catalogue/book.ts';
import { nameField } from '../../catalogue/fields.ts';
import { type Editing, editShown, type Saved, startEditing } from '../state/editing.ts';
import { list, withOneRefresh } from '../state/live.ts';
import { changeQuery, navigate, openBook, route } from '../state/navigation.ts';
import { asServiceError, client, readBook } from '../state/service.ts';
import { describeError, texts } from '../texts/current.ts';
import { fieldText } from './controls.tsx';
import { showToast, type ToastAction } from './messages.tsx';

/** The last change here that can be taken back. */
let last: string | undefined;

/** Takes back the last change that was made here, once. */
export function undoLast(): void {
  if (last !== undefined) void undo(last);
}

/** Shows a message with an undo and other actions. */
export function showDone(text: string, batch: string, others: readonly ToastAction[] = []): void {
  last = batch;
  const takeBack: ToastAction = { label: texts.undo, icon: 'undo', run: () => void undo(batch) };
  showToast({ text, actions: [...others, takeBack] });
}

/** Whether a change may take books out of the list that is shown. */
function isFiltered(): boolean {
  const { view, query, book } = route.value;
  const isAll = Object.keys(query).every((name) => name === 'sort');
  return view === 'list' && book === undefined && !isAll;
}

/** Shows that books got the same values, with an undo. If the list may not have them any more, it offers to show them. */
export function showChanged(text: string, batch: string, patch: BookPatch): void {
  const show: ToastAction = {
    label: texts.importing.show,
    run: () => {
      navigate({ view: 'list', query: changeQuery({}, patch) });
    },
  };
  showDone(text, batch, isFiltered() ? [show] : []);
}

export function showFailure(error: unknown): void {
  showToast({ text: describeError(asServiceError(error)), look: 'failed' });
}

/** Shows that a book was saved, with an undo; or why it was not. */
export function showSaved(saving: Promise<Saved | undefined>): void {
  saving.then((saved) => {
    if (saved === undefined) return;
    const { book, batch, isMerged } = saved;
    const { saved: text, savedMerged } = texts.changing;
    const show: ToastAction = {
      label: texts.changing.show,
      run: () => {
        openBook(book.id);
      },
    };
    showDone(
      (isMerged === true ? savedMerged : text)(fieldText(nameField, book)),
      batch,
      isFiltered() ? [show] : [],
    );
  }, showFailure);
}

/**
 * Takes a batch back, and says what came of it.
 *
 * @param onProgress Gets the number of books that were taken back so far.
 * @param as The batch of an undo that was interrupted, to go on with it.
 */
export async function undo(batch: string, onProgress?: (undone: number) => void, as?: string): Promise<void> {
  if (batch === last) last = undefined;
  try {
    const { undone, left } = await withOneRefresh(() =>
      client.undo(batch, { batch: as, onProgress: (done) => onProgress?.(done.undone) }),
    );
    showToast({
      text: left.length === 0 ? texts.changing.undone : texts.changing.undoneSome(undone, left.length),
    });
  } catch (error) {
    showFailure(error);
  }
}

/**
 * Deletes a book as it is shown, and offers an undo. Opens a book that others have changed meanwhile instead. Returns whether
 * it was deleted.
 */
export async function deleteShown(shown: Book): Promise<boolean> {
  const { id } = shown;
  const batch = newBatchId();
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
  showDone(texts.changing.deletedOne(fieldText(nameField, shown)), batch);
  void list.refresh();
  return true;
}

/** Begins to edit a book in its row, and shows whether the previous one was saved. Returns whether it has begun. */
export function editRow(book: Book): boolean {
  const { saving, unsaved } = editShown(book);
  showSaved(saving);
  if (unsaved !== undefined && unsaved.theirs === undefined) showUnsaved(unsaved);
  return unsaved === undefined;
}

/** The same in its sheet, as it is now. */
export async function editBook(id: number): Promise<void> {
  try {
    const { saved, unsaved } = await startEditing(id, 'sheet');
    showSaved(Promise.resolve(saved));
    if (unsaved !== undefined && unsaved.theirs === undefined) showUnsaved(unsaved);
  } catch (error) {
    showFailure(error);
  }
}

/** Its row may be out of view: its sheet shows it. */
function showUnsaved({ base: { book }, error }: Editing): void {
  const reason = error === undefined ? texts.changing.wholeNumber : describeError(error);
  showToast({
    text: `${texts.changing.notSaved(fieldText(nameField, book))} ${reason}`,
    look: 'failed',
    actions: [
      {
        label: texts.changing.goOn,
        run: () => {
          openBook(book.id);
          void startEditing(book.id, 'sheet'); // It is edited already, so nothing is read.
        },
      },
    ],
  });
}
