import type { Rejected } from './rows.ts';

/** What to do with a book that the catalogue has already. */
export const duplicateChoices = ['skip', 'update', 'add'] as const;
export type OnDuplicate = (typeof duplicateChoices)[number];

/** What an import has done so far. */
export interface Outcome {
  readonly added: number;
  readonly updated: number;
  readonly skipped: number;
  readonly rejected: readonly Rejected[];
}

export const nothingDone: Outcome = { added: 0, updated: 0, skipped: 0, rejected: [] };

/** The outcome of some rows, added to what an import has done. */
export function addOutcomes(a: Outcome, b: Outcome): Outcome {
  return {
    added: a.added + b.added,
    updated: a.updated + b.updated,
    skipped: a.skipped + b.skipped,
    rejected: b.rejected.length === 0 ? a.rejected : [...a.rejected, ...b.rejected],
  };
}

/** The number of rows that an import has dealt with. */
export function countDone({ added, updated, skipped, rejected }: Outcome): number {
  return added + updated + skipped + rejected.length;
}
