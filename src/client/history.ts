import { isBatch } from '../catalogue/batch.ts';
import { fieldsOf, isId, type Book } from '../catalogue/book.ts';
import {
  changeKinds,
  isChangeKind,
  type BatchSummary,
  type DeletedBook,
  type EarlierState,
} from '../catalogue/changes.ts';
import type { PageQuery } from '../catalogue/query-string.ts';
import { isCount, membersOf, open, readBook, readBookOf, readList, unexpected } from './answers.ts';
import { bookPath, nextOf, queryPath } from './books.ts';
import {
  checkBatch,
  readCallOptions,
  writeOptions,
  type CallOptions,
  type RevertOptions,
} from './options.ts';
import type { Send } from './wire.ts';

/** A page of deleted books. */
export interface DeletedPage {
  books: DeletedBook[];
  /** The cursor of the next page, for `after`; `undefined` on the last page. */
  next: string | undefined;
}

export interface UndoOptions {
  /** Called after each step, with the numbers so far. */
  onProgress?: (progress: { undone: number; left: number }) => void;
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

export async function readHistory(send: Send, id: number, options?: CallOptions): Promise<EarlierState[]> {
  const path = `${bookPath(id)}/history`;
  return readList('a history', open(await send({ path, ...readCallOptions(options) })), (each) =>
    readState(id, each),
  );
}

export async function revertBook(send: Send, id: number, options?: RevertOptions): Promise<Book> {
  const rest = writeOptions(options, 'version', 'ifMatch', 'ifNoneMatch', 'batch');
  const { version } = options ?? {};
  const body = version === undefined ? {} : { version };
  return readBookOf(id, open(await send({ method: 'POST', path: `${bookPath(id)}/revert`, body, ...rest })));
}

export async function readTrash(
  send: Send,
  query?: Pick<PageQuery, 'limit' | 'after'>,
  options?: CallOptions,
): Promise<DeletedPage> {
  const answer = await send({ path: queryPath('/trash', query), ...readCallOptions(options) });
  return { books: readList('a list of deleted books', open(answer), readDeleted), next: nextOf(answer) };
}

export async function readBatch(send: Send, id: string, options?: CallOptions): Promise<BatchSummary> {
  const path = `/batch/${checkBatch(id)}`;
  const record = membersOf(open(await send({ path, ...readCallOptions(options) })));
  const counts = changeKinds.map((kind) => [kind, record[kind]] as const);
  if (!isBatch(record.id) || !counts.every(([, count]) => isCount(count))) throw unexpected('a batch');
  const byKind = Object.fromEntries(counts) as Pick<BatchSummary, (typeof changeKinds)[number]>;
  return { id: record.id, at: readTime(record.at), ...byKind };
}

export async function undoBatch(send: Send, id: string, options?: UndoOptions): Promise<UndoResult> {
  const path = `/batch/${checkBatch(id)}/undo`;
  const { onProgress, signal } = readCallOptions(options, 'onProgress');
  const result: UndoResult = { batch: undefined, undone: 0, left: [], isStopped: false };
  for (let before: number | undefined; ;) {
    result.isStopped = signal?.aborted === true;
    if (result.isStopped) return result;
    const headers = result.batch === undefined ? {} : { Batch: result.batch };
    const body = before === undefined ? {} : { before };
    const step = readStep(open(await send({ method: 'POST', path, body, headers })));
    result.batch ??= step.batch ?? undefined;
    result.undone += step.undone;
    result.left.push(...step.left);
    onProgress?.({ undone: result.undone, left: result.left.length });
    if (step.next === null) return result;
    if (before !== undefined && step.next >= before) throw unexpected('the next step of the undo');
    before = step.next;
  }
}

/** Reads a state of the book with this id. */
function readState(id: number, data: unknown): EarlierState {
  const { version, at, change } = membersOf(data);
  const book = readBook({ ...membersOf(data), id });
  if (typeof version !== 'string' || !isChangeKind(change) || change === 'created')
    throw unexpected('a history');
  return { version, at: readTime(at), change, ...fieldsOf(book) };
}

function readDeleted(data: unknown): DeletedBook {
  return { ...readBook(data), deletedAt: readTime(membersOf(data).deletedAt) };
}

interface Step {
  batch: string | null;
  undone: number;
  left: number[];
  next: number | null;
}

function readStep(data: unknown): Step {
  const { batch, undone, left, next } = membersOf(data);
  const isList = Array.isArray(left) && left.every(isId);
  if ((batch === null || isBatch(batch)) && isCount(undone) && isList && (next === null || isId(next)))
    return { batch, undone, left, next };
  throw unexpected('the result of an undo');
}

function readTime(value: unknown): Date {
  const time = new Date(typeof value === 'string' ? value : NaN);
  if (Number.isNaN(time.getTime())) throw unexpected('a time');
  return time;
}
