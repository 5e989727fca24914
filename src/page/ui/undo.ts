import { list } from '../state/list/window-of-page.ts';
import { asServiceError, client } from '../state/service.ts';
import { describeError, texts } from '../texts/current.ts';
import { showToast, type ToastAction } from './toast.tsx';

/** Says what was done, and offers to take it back, besides other actions. */
export function showDone(text: string, batch: string, others: readonly ToastAction[] = []): void {
  const takeBack: ToastAction = { label: texts.undo, icon: 'undo', run: () => void undo(batch) };
  showToast({ text, actions: [...others, takeBack] });
}

/** Says why something failed. */
export function showFailure(error: unknown): void {
  showToast({ text: describeError(asServiceError(error)), look: 'failed' });
}

/** Says that a book was saved, and offers to undo it; or why it was not. */
export function showSaved(saving: Promise<{ readonly batch: string } | undefined>): void {
  saving.then((saved) => {
    if (saved !== undefined) showDone(texts.changing.saved, saved.batch);
  }, showFailure);
}

async function undo(batch: string): Promise<void> {
  try {
    const { undone, left } = await client.undo(batch);
    showToast({
      text: left.length === 0 ? texts.changing.undone : texts.changing.undoneSome(undone, left.length),
    });
  } catch (error) {
    showFailure(error);
  }
  void list.refresh();
}
