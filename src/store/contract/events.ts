// The answer about the changes after a position.
import type { ChangeEvent } from '../../catalogue/changes.ts';

/** The answer of `BookStore.events`. */
export interface ChangeEvents {
  /** The changes after a position, oldest first; `undefined`: the position is not known, or the changes are no longer kept. */
  readonly events: readonly ChangeEvent[] | undefined;
  /** The position after these events; with `undefined`, the current one. */
  readonly position: string;
  /** Whether there were no further changes when they were read. */
  readonly isCurrent: boolean;
}

/** The maximum number of events in one answer. */
export const maxEvents = 1000;
