// What a batch did, and its undo, from the change log.
import { parseId, type Book } from '../../catalogue/book.ts';
import { hasCode } from '../../catalogue/errors.ts';
import {
  changeKinds,
  countKinds,
  notAPosition,
  type BatchPage,
  type BatchSummary,
  type HistoryPage,
  type Undone,
  type UndoRequest,
} from '../contract/history.ts';
import { planUndo, sumUp, undoPrefix, type BookResult } from '../contract/undo.ts';
import { isSameBook } from '../contract/change.ts';
import type { Row } from './binding.ts';
import { toStoredBook, type Statements } from './connection.ts';
import type { Reading } from './reading.ts';
import { stateColumns } from './schema.ts';
import type { BookTable } from './change.ts';

/** A step ends after this time, so that other writes can run. */
const maxStepMs = 1000;

/** The number of books that are read at once to find one that can be undone. */
const checkedAtOnce = 1000;
/** A book with more changes since is skipped. */
const maxChanges = 1000;

/** The books of a batch, with its first change of each. */
const booksOf = `
  SELECT book, min(seq) FROM changes WHERE batch = ? AND book < ?
  GROUP BY book ORDER BY book DESC LIMIT ?`;
/** The newest changes of a book. A `created` one can only be the first: it is not in this index. */
const changesOf = `
  SELECT seq, kind, batch FROM changes INDEXED BY changes_by_book
  WHERE book = ? AND kind <> 'created' ORDER BY seq DESC LIMIT ${maxChanges}`;
/** The books of a batch, with its first change of each, and the batch of the newest change of each. */
const newestBatches = `
  SELECT book, first, (
    SELECT batch FROM changes INDEXED BY changes_by_book
    WHERE book = own.book AND kind <> 'created' ORDER BY seq DESC LIMIT 1
  ) FROM (
    SELECT book, min(seq) AS first FROM changes WHERE batch = ? AND book < ?
    GROUP BY book ORDER BY book DESC LIMIT ${checkedAtOnce}
  ) AS own ORDER BY book DESC`;
const creation = "SELECT seq, kind, batch FROM changes WHERE seq = ? AND kind = 'created'";
const stateBefore = `SELECT ${stateColumns} FROM changes WHERE seq = ?`;

const summaries = `SELECT batch, at, ${changeKinds.join(', ')}, seq FROM batches`;

/** As `BookStore.batch`. */
export function readBatch(reading: Reading, batch: string): BatchSummary | undefined {
  const row = reading.statements.row(`${summaries} WHERE batch = ?`, batch);
  return row && toSummary(reading, row, performance.now() + maxStepMs);
}

/** As `BookStore.batches`. */
export function readBatches(reading: Reading, { limit, after }: HistoryPage): BatchPage {
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : parseId(after);
  if (before === undefined) throw notAPosition();
  const found = reading.statements.rows(
    `${summaries} WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
    before,
    limit + 1,
  );
  const page = found.slice(0, limit);
  const end = performance.now() + maxStepMs;
  return {
    batches: page.map((row) => toSummary(reading, row, end)),
    next: found.length > limit ? String(page.at(-1)?.at(-1)) : undefined,
  };
}

function toSummary(reading: Reading, [batch, at, ...counts]: Row, end: number): BatchSummary {
  return {
    batch: String(batch),
    at: new Date(Number(at)),
    ...countKinds((kind) => Number(counts[changeKinds.indexOf(kind)])),
    undoable: isUndoable(reading, String(batch), end),
  };
}

/**
 * Undoes some books of a batch, within a transaction of its caller, which has set the batch of the undo.
 *
 * @returns `undefined` if no change of the batch is kept.
 */
export function undoStep(
  statements: Statements,
  table: BookTable,
  batch: string,
  { as, limit, before = Number.MAX_SAFE_INTEGER }: UndoRequest,
): Undone | undefined {
  const isKept = statements.row('SELECT 1 FROM changes WHERE batch = ? LIMIT 1', batch) !== undefined;
  if (!isKept) return undefined;
  const end = performance.now() + maxStepMs;
  const ids: number[] = [];
  const results: BookResult[] = [];
  const rows = statements.rows(booksOf, batch, before, limit + 1);
  for (const row of rows.slice(0, limit)) {
    const [id = 0, first = 0] = row.map(Number);
    ids.push(id);
    results.push(undoBook(statements, table, { id, first, batch, as }));
    if (performance.now() > end) break;
  }
  const next = ids.length < rows.length ? ids.at(-1) : undefined;
  return { ...sumUp(ids, results), next };
}

interface BookUndo {
  readonly id: number;
  /** The first change of the batch, by its sequence number. */
  readonly first: number;
  readonly batch: string;
  readonly as: string;
}

/** Whether an undo of a batch may change a book; `true` if checking takes until `end`. */
function isUndoable({ statements, checkTime }: Reading, batch: string, end: number): boolean {
  const prefix = undoPrefix(batch);
  for (let before = Number.MAX_SAFE_INTEGER; performance.now() < end;) {
    checkTime();
    const rows = statements.rows(newestBatches, batch, before);
    for (const [id, first, newest] of rows) {
      before = Number(id);
      // Books whose newest change undoes the batch have nothing to undo. This keeps the check of an undone batch short.
      if (typeof newest === 'string' && newest.startsWith(prefix)) continue;
      const { plan } = planBook(statements, { id: before, first: Number(first), batch, as: '' });
      if (typeof plan !== 'string') return true;
      if (performance.now() > end) return true;
    }
    if (rows.length < checkedAtOnce) return false;
  }
  return true;
}

function planBook(statements: Statements, { id, first, batch, as }: BookUndo) {
  const newest = statements.rows(changesOf, id);
  const oldest = newest.length < maxChanges ? statements.rows(creation, first) : [];
  const changes = [...oldest, ...newest.toReversed()];
  const batches = changes.map(([, , each]) => (typeof each === 'string' ? each : undefined));
  return { changes, plan: planUndo(batches, batch, as) };
}

function undoBook(statements: Statements, table: BookTable, undo: BookUndo): BookResult {
  const { changes, plan } = planBook(statements, undo);
  if (typeof plan === 'string') return plan;
  const { id } = undo;
  const book = readSound(table, id);
  // Another program may have added a book under an id that the log says is free.
  const isAsLogged = book !== null && (book === undefined) === (changes.at(-1)?.[1] === 'deleted');
  if (!isAsLogged) return 'left';
  const row = statements.row(stateBefore, Number(changes[plan.first]?.[0]));
  const earlier = row && toStoredBook(row);
  if (earlier === undefined ? book === undefined : book && isSameBook(book, earlier)) return 'unchanged';
  if (earlier !== undefined) table.revert(book, earlier);
  else table.delete(id);
  return 'undone';
}

/** `null`: another program made the record something that is not a book. */
function readSound(table: BookTable, id: number): Book | undefined | null {
  try {
    return table.read(id);
  } catch (error) {
    if (hasCode(error, 'store_damaged')) return null;
    throw error;
  }
}
