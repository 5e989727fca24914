import { isBatch } from '../catalogue/batch.ts';
import { fieldsOf, isId, type Book } from '../catalogue/book.ts';
import {
  isChangeKind,
  type BatchSummary,
  type DeletedBook,
  type EarlierState,
} from '../catalogue/changes.ts';
import type { PageQuery } from '../catalogue/query-string.ts';
import { isCount, isText, open, readAs, readBook, readBookOf, unexpected } from './answers.ts';
import { bookPath, nextOf, queryPath } from './books.ts';
import { writeOf, type CallOptions, type RevertOptions } from './options.ts';
import type { Send } from './wire.ts';

/** A page of deleted books. */
export interface DeletedPage {
  /** The deleted books, newest first. */
  books: DeletedBook[];
  /** The cursor of the next page, for `after`; `undefined` on the last page. */
  next: string | undefined;
}

/** How an undo reports and ends. */
export interface UndoOptions {
  /** Called after each step, with the numbers so far. */
  onProgress?: ((progress: { undone: number; left: number }) => void) | undefined;
  /** Stops the undo after the current step. */
  signal?: AbortSignal | undefined;
}

/** The result of an undo. */
export interface UndoResult {
  /** The batch of the undo itself; `undefined` if it changed nothing. */
  batch: string | undefined;
  /** The number of books that it changed. */
  undone: number;
  /** The ids of the books that others changed since. */
  left: number[];
  /** Whether it was stopped before its end. */
  isStopped: boolean;
}

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));
const orNull =
  <Value>(isValue: (value: unknown) => value is Value) =>
  (value: unknown): value is Value | null =>
    value === null || isValue(value);
const isEarlier = (change: unknown): change is EarlierState['change'] =>
  isChangeKind(change) && change !== 'created';
const stateShape = [{ version: isText, at: isTime, change: isEarlier }] as const;
const deletedShape = [{ deletedAt: isTime }] as const;
const batchShape = {
  id: isBatch,
  at: isTime,
  created: isCount,
  updated: isCount,
  deleted: isCount,
  reverted: isCount,
} satisfies Record<Exclude<keyof BatchSummary, 'undoable'>, unknown>; // An older service does not send it.
const undoShape = {
  batch: /* @__PURE__ */ orNull(isBatch),
  undone: isCount,
  left: [isId],
  next: /* @__PURE__ */ orNull(isId),
} as const;

export async function readHistory(send: Send, id: number, options?: CallOptions): Promise<EarlierState[]> {
  const path = `${bookPath(id)}/history`;
  const data = open(await send({ path, ...options }));
  return readAs('a history', stateShape, data).map((state) => {
    const { version, at, change } = state;
    return { version, at: new Date(at), change, ...fieldsOf(readBook({ ...state, id })) };
  });
}

export async function revertBook(send: Send, id: number, options?: RevertOptions): Promise<Book> {
  const { version } = options ?? {};
  const body = version === undefined ? {} : { version };
  return readBookOf(
    id,
    open(await send({ method: 'POST', path: `${bookPath(id)}/revert`, body, ...writeOf(options) })),
  );
}

export async function readTrash(
  send: Send,
  query?: Pick<PageQuery, 'limit' | 'after'>,
  options?: CallOptions,
): Promise<DeletedPage> {
  const answer = await send({ path: queryPath('/trash', query), ...options });
  const data = readAs('a list of deleted books', deletedShape, open(answer));
  const books = data.map((each) => ({ ...readBook(each), deletedAt: new Date(each.deletedAt) }));
  return { books, next: nextOf(answer) };
}

/** The path of a batch. @throws {TypeError} The id is not valid: as text, it could lead to another path. */
function batchPath(id: string): string {
  if (!isBatch(id)) throw new TypeError('batch: expected 8 to 64 of A-Z, a-z, 0-9, _ and -');
  return `/batch/${id}`;
}

export async function readBatch(send: Send, id: string, options?: CallOptions): Promise<BatchSummary> {
  const path = batchPath(id);
  const data = open(await send({ path, ...options }));
  const { at, ...counts } = readAs('a batch', batchShape, data);
  return { ...counts, at: new Date(at) };
}

export async function undoBatch(send: Send, id: string, options?: UndoOptions): Promise<UndoResult> {
  const path = `${batchPath(id)}/undo`;
  const { onProgress, signal } = options ?? {};
  const result: UndoResult = { batch: undefined, undone: 0, left: [], isStopped: false };
  for (let before: number | undefined; ;) {
    result.isStopped = signal?.aborted === true;
    if (result.isStopped) return result;
    const headers = result.batch === undefined ? {} : { Batch: result.batch };
    const body = before === undefined ? {} : { before };
    const data = open(await send({ method: 'POST', path, body, headers }));
    const step = readAs('the result of an undo', undoShape, data);
    result.batch ??= step.batch ?? undefined;
    result.undone += step.undone;
    result.left.push(...step.left);
    onProgress?.({ undone: result.undone, left: result.left.length });
    if (step.next === null) return result;
    if (before !== undefined && step.next >= before) throw unexpected('the next step of the undo');
    before = step.next;
  }
}
