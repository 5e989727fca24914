import type { SavedFormat } from './export-file.ts';
import { createSignal } from './signal.ts';

/** The task for all books of the list; `undefined`: none. Its dialog loads on demand. */
export const exportGoal = createSignal<SavedFormat | 'print' | undefined>(undefined);

/** The formats, as a reader knows them. */
export const savedFormats: Readonly<Record<SavedFormat, string>> = {
  csv: 'CSV',
  xlsx: 'Excel',
  html: 'HTML',
};
