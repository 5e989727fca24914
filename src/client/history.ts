import { isBatch } from '../catalogue/batch.ts';
import { fieldsOf, isId, toBook } from '../catalogue/book.ts';
import { changeKinds, type BatchSummary, type DeletedBook, type EarlierState } from '../catalogue/changes.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import { formatPageQuery } from '../catalogue/query-string.ts';
import { open, readBookOf } from './answers.ts';
import { bookPath, checkBatch, writeHeaders } from './arguments.ts';
import type { Client } from './client.ts';
import { findNextCursor } from './links.ts';
import type { Answer, Exchange } from './transport.ts';

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

type HistoryCalls = Pick<Client, 'history' | 'revert' | 'trash' | 'batch' | 'undo'>;

/** The operations on earlier states and batches. @param send Sends a request with the token. */
export function createHistoryCalls(send: (exchange: Exchange) => Promise<Answer>): HistoryCalls {
  const call = async (exchange: Exchange) => open(await send(exchange));
  return {
    history: async (id) => readStates(id, await call({ method: 'GET', path: `${bookPath(id)}/history` })),
    async revert(id, options) {
      const headers = writeHeaders(options, ['version', 'ifMatch', 'batch']);
      const { version } = options ?? {};
      if (version !== undefined && typeof version !== 'string')
        throw new TypeError('options.version: expected a string from history()');
      const body = version === undefined ? {} : { version };
      return readBookOf(id, await call({ method: 'POST', path: `${bookPath(id)}/revert`, body, headers }));
    },
    async trash(query = {}) {
      const text = formatPageQuery(query);
      const answer = await send({ method: 'GET', path: text === '' ? '/trash' : `/trash?${text}` });
      const { link } = answer.headers;
      return {
        books: readDeleted(open(answer)),
        next: findNextCursor(typeof link === 'string' ? link : undefined),
      };
    },
    batch: async (id) => readBatch(await call({ method: 'GET', path: `/batch/${checkBatch('id', id)}` })),
    async undo(id, { onProgress, signal } = {}) {
      const path = `/batch/${checkBatch('batch', id)}/undo`;
      const result: UndoResult = { batch: undefined, undone: 0, left: [], isStopped: false };
      for (let before: number | undefined; ;) {
        result.isStopped = signal?.aborted === true;
        if (result.isStopped) return result;
        const headers = result.batch === undefined ? {} : { Batch: result.batch };
        const body = before === undefined ? {} : { before };
        const step = readStep(await call({ method: 'POST', path, body, headers }));
        result.batch ??= step.batch ?? undefined;
        result.undone += step.undone;
        result.left.push(...step.left);
        onProgress?.({ undone: result.undone, left: result.left.length });
        if (step.next === null) return result;
        if (before !== undefined && step.next >= before) throw unexpected('the next step of the undo');
        before = step.next;
      }
    },
  };
}

/** Reads the states of a book with this id. */
function readStates(id: number, data: unknown): EarlierState[] {
  if (!Array.isArray(data)) throw unexpected('a history');
  return data.map((each: unknown) => {
    const { version, at, change } = Object(each) as Record<string, unknown>;
    const book = toBook({ ...(Object(each) as object), id });
    const kind = changeKinds.find((known) => known === change);
    if (book === undefined || typeof version !== 'string' || kind === undefined || kind === 'created')
      throw unexpected('a history');
    return { version, at: readTime(at), change: kind, ...fieldsOf(book) };
  });
}

function readDeleted(data: unknown): DeletedBook[] {
  if (!Array.isArray(data)) throw unexpected('a list of deleted books');
  return data.map((each: unknown) => {
    const book = toBook(each);
    if (book === undefined) throw unexpected('a list of deleted books');
    return { ...book, deletedAt: readTime((Object(each) as Record<string, unknown>).deletedAt) };
  });
}

function readBatch(data: unknown): BatchSummary {
  const record = Object(data) as Record<string, unknown>;
  const counts = changeKinds.map((kind) => [kind, record[kind]] as const);
  if (!isBatch(record.id) || !counts.every(([, count]) => isCount(count))) throw unexpected('a batch');
  const byKind = Object.fromEntries(counts) as Pick<BatchSummary, (typeof changeKinds)[number]>;
  return { id: record.id, at: readTime(record.at), ...byKind };
}

interface Step {
  batch: string | null;
  undone: number;
  left: number[];
  next: number | null;
}

function readStep(data: unknown): Step {
  const { batch, undone, left, next } = Object(data) as Record<string, unknown>;
  const isList = Array.isArray(left) && left.every(isId);
  if ((batch === null || isBatch(batch)) && isCount(undone) && isList && (next === null || isId(next)))
    return { batch, undone, left, next };
  throw unexpected('the result of an undo');
}

function isCount(value: unknown): value is number {
  return value === 0 || isId(value);
}

function readTime(value: unknown): Date {
  const time = new Date(typeof value === 'string' ? value : NaN);
  if (Number.isNaN(time.getTime())) throw unexpected('a time');
  return time;
}

function unexpected(expected: string): ShelflistError {
  return new ShelflistError('bad_response', {
    message: `the server's response does not contain ${expected}`,
  });
}
