import { startEditing, type Editing } from '../state/editing/editing.ts';
import { openBook } from '../state/navigation.ts';
import { describeError, texts } from '../texts/current.ts';
import { fieldText } from './field-text.tsx';
import { showToast } from './toast.tsx';
import { showDone, showFailure } from './undo.ts';

/** Begins to edit a book; says whether the one that was edited before is stored. */
export async function editBook(id: number, place: Editing['place']): Promise<void> {
  try {
    const { saved, unsaved } = await startEditing(id, place);
    if (saved !== undefined) showDone(texts.changing.savedFirst(fieldText('title', saved.book)), saved.batch);
    if (unsaved !== undefined && unsaved.theirs === undefined) showUnsaved(unsaved);
  } catch (error) {
    showFailure(error);
  }
}

/** Its row may be out of view: its sheet shows it. */
function showUnsaved({ base: { book }, error }: Editing): void {
  const reason = error === undefined ? texts.changing.wholeNumber : describeError(error);
  showToast({
    text: `${texts.changing.notSaved(fieldText('title', book))} ${reason}`,
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
