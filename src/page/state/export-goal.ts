import type { SavedFormat } from './export-file.ts';
import { createSignal } from './signal.ts';

/** What is done with all books of the list; `undefined`: nothing. The dialog that does it loads then. */
export const exportGoal = createSignal<SavedFormat | 'print' | undefined>(undefined);

/** The formats, as a reader knows them. */
export const savedFormats: Readonly<Record<SavedFormat, string>> = {
  csv: 'CSV',
  xlsx: 'Excel',
  html: 'HTML',
};
