import { readDraft } from './drafts.ts';
import { isDraft } from './editing/draft.ts';
import { createStore } from './store.ts';

/** The name of the draft of a new book. */
export const addDraft = 'add';
/** That of the attempts to add it. */
export const attemptsDraft = 'attempts';

/** The dialog that is open over the page, besides that of a book. A new book that was being typed is open again after a reload. */
export const openDialog = createStore<'add' | 'help' | undefined>(
  isDraft(readDraft(addDraft)) ? 'add' : undefined,
);

export function closeDialog(): void {
  openDialog.set(undefined);
}
