import type { Book, BookFields } from './book.ts';

/** The kinds of changes. A book that is reverted gets an earlier state; a deleted one is brought back. */
export const changeKinds = ['created', 'updated', 'deleted', 'reverted'] as const;
/** A kind of change. */
export type ChangeKind = (typeof changeKinds)[number];

/** A change of a book. */
export interface ChangeEvent {
  /** Follows every earlier position of the catalogue: 1 to 1000 letters, digits and `-._`. */
  readonly position: string;
  /** The book. */
  readonly id: number;
  /** What happened to the book. */
  readonly change: ChangeKind;
}

export function isChangeKind(value: unknown): value is ChangeKind {
  return changeKinds.some((kind) => kind === value);
}

/** Whether a text may be a position of a change. Only the store knows whether it is one. */
export function isPosition(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,1000}$/.test(text);
}

/** A state of a book before a change. */
export interface EarlierState extends Readonly<BookFields> {
  /** Names this state, for a revert. */
  readonly version: string;
  /** The time of the change that replaced it. */
  readonly at: Date;
  /** The kind of that change. */
  readonly change: Exclude<ChangeKind, 'created'>;
}

/** A deleted book that can be brought back. */
export interface DeletedBook extends Readonly<Book> {
  /** The time of the delete. */
  readonly deletedAt: Date;
}

/** What a batch has done: the numbers of its changes by kind, as far as they are kept. */
export interface BatchSummary extends Readonly<Record<ChangeKind, number>> {
  /** The batch. */
  readonly id: string;
  /** The time of its first change. */
  readonly at: Date;
  /** `false`: an undo would change no book, because each is undone already, or was changed since. Missing: unknown. */
  readonly undoable?: boolean;
}
