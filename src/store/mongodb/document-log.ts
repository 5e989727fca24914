// The log in a document: the earlier states of its book, and the batch that created it.
import { toBook, type Book } from '../../catalogue/book.ts';
import type { LoggedBook, LoggedChange } from '../contract/log.ts';
import { isTombstone, maxStates, type State } from './change.ts';
import { decodeBook, entryKinds, textBytes, type HistoryEntry } from './schema.ts';

/** A document with its log. Another program may have stored anything in it. */
export interface LoggedState extends State {
  readonly history?: unknown;
  readonly creation?: unknown;
  readonly by?: unknown;
}

/** The entries of this store in the log, oldest first. */
export function entriesOf({ history }: Pick<LoggedState, 'history'>): HistoryEntry[] {
  return Array.isArray(history) ? history.filter(isEntry) : [];
}

function isEntry(value: unknown): value is HistoryEntry {
  const { rev, at, change } = Object(value) as Partial<Record<string, unknown>>;
  return (rev === null || typeof rev === 'string') && at instanceof Date && entryKinds.includes(change);
}

/** The batch that created the book, if a batch did. */
export function creatorOf({ creation }: LoggedState): string | undefined {
  const { batch } = Object(creation) as { batch?: unknown };
  return typeof batch === 'string' ? batch : undefined;
}

/** The user who made the newest change, if one is named. */
function userOf({ by, rev }: LoggedState): string | undefined {
  const start = `${String(rev)} `;
  return typeof by === 'string' && by.startsWith(start) ? by.slice(start.length) : undefined;
}

/** The state before an entry, if it is kept. A tombstone still has the fields of the book, however large. */
export function stateBefore(state: LoggedState, entry: HistoryEntry): Book | undefined {
  const isLastState =
    entry.isLost === true && entry.change === 'deleted' && entry === entriesOf(state).at(-1);
  if (isLastState && isTombstone(state)) return decodeBook(state);
  return toBook({ ...entry, id: state._id });
}

/** A book with its log, as its document has it. */
export interface DocumentLog extends LoggedBook {
  readonly state: LoggedState;
}

/** What a document says of its book. */
export function logOf(state: LoggedState): DocumentLog {
  const entries = entriesOf(state);
  const book = isTombstone(state) ? undefined : (decodeBook(state) ?? 'damaged');
  const creator = creatorOf(state);
  const creation: LoggedChange[] =
    creator === undefined
      ? []
      : [{ version: '', kind: 'created', at: new Date(0), batch: creator, before: undefined }];
  const changes = entries.map((entry): LoggedChange => {
    const { rev, at, change, batch } = entry;
    // A state of another program has no revision.
    return { version: rev ?? `at-${at.getTime()}`, kind: change, at, batch, before: beforeOf(state, entry) };
  });
  const logged = [...creation, ...changes];
  const newest = logged.pop();
  if (newest !== undefined) logged.push({ ...newest, user: userOf(state) });
  const texts = [decodeBook(state), ...entries];
  return {
    state,
    id: state._id,
    book,
    changes: logged,
    isCut: state.historyLength < 0 || entries.length >= maxStates,
    bytes: texts.reduce((sum, each) => sum + (each === undefined ? 0 : textBytes(each)), 0),
  };
}

function beforeOf(state: LoggedState, entry: HistoryEntry): LoggedChange['before'] {
  const before = stateBefore(state, entry);
  if (before !== undefined || entry.isLost === true) return before ?? 'lost';
  // Before a book was brought back, there was none.
  return entry.change === 'reverted' ? undefined : 'damaged';
}
