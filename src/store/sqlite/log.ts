// The change log: what history, trash, batches and undo read of it, and change.
import { parseId } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import {
  changeKinds,
  countKinds,
  notAPosition,
  type ChangeKind,
  type HistoryRequest,
} from '../contract/history.ts';
import type {
  BatchRange,
  BookLog,
  ChangesRequest,
  ListedBatch,
  LoggedBatch,
  LoggedBook,
  LoggedChange,
  LoggedDelete,
  ReadableLog,
  Restoration,
} from '../contract/log.ts';
import type { Row } from './binding.ts';
import type { BookTable } from './change.ts';
import { toStoredBook, type Statements } from './connection.ts';
import type { QueryContext } from './reading.ts';
import { bookColumns, stateColumns } from './schema.ts';

/** The number of the newest changes of a book that are read. */
const maxChanges = 1000;
/** The number of books of a batch that are looked at together to find some that no undo of it has changed, and for how long. */
const maxScanned = 1000;
const maxScanMs = 250;
/** How long books are changed before the caller looks at its time. */
const maxApplyMs = 250;

// For a bare parameter as its limit, SQLite prepares a statement anew each time: eight times the cost of a short one.
const idsOfBatch = `
  SELECT DISTINCT book FROM changes INDEXED BY changes_by_batch WHERE batch = ? AND book < ?
  ORDER BY book DESC LIMIT (? + 0)`;
/** The same with the batch of the newest change of each. */
const newestBatches = `
  SELECT book, (
    SELECT batch FROM changes INDEXED BY changes_by_book
    WHERE book = own.book AND kind <> 'created' ORDER BY seq DESC LIMIT 1
  ) FROM (${idsOfBatch}) AS own ORDER BY book DESC`;

const columns = 'json_array(seq, kind, at, batch, user)';
/** The newest changes of each book, as JSON. A `created` one can only be the first: it is not in this index. */
const newestChanges = `(
  SELECT json_group_array(${columns}) FROM (
    SELECT seq, kind, at, batch, user FROM changes INDEXED BY changes_by_book
    WHERE book = ids.value AND kind <> 'created' ORDER BY seq DESC LIMIT (?4 + 0)
  )
)`;
/** The creation of a book, if its batch is asked for, or belongs to another change: without it, an undo would seem to end at that change. */
const creation = `(
  SELECT ${columns} FROM changes INDEXED BY changes_by_batch
  WHERE batch IN (
    SELECT ?2 UNION SELECT batch FROM changes INDEXED BY changes_by_book
    WHERE ?2 IS NOT NULL AND book = ids.value AND kind <> 'created' AND batch IS NOT NULL
  ) AND book = ids.value AND kind = 'created'
)`;
const ofVersion = `(
  SELECT ${columns} FROM changes WHERE seq = ?3 AND book = ids.value AND kind <> 'created'
)`;
const changesOf = `SELECT ids.value, ${newestChanges}, ${creation}, ${ofVersion} FROM json_each(?1) AS ids`;
const bookById = `SELECT ${bookColumns} FROM books WHERE id = ?`;
const stateBefore = `SELECT ${stateColumns} FROM changes WHERE seq = ?`;

const deletes = `
  SELECT ${stateColumns}, seq, at, batch FROM changes INDEXED BY changes_deleted
  WHERE kind = 'deleted' AND seq < ? ORDER BY seq DESC LIMIT (? + 0)`;
const isGone = `
  SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM books WHERE id = ?1)
  AND ?2 = (
    SELECT max(seq) FROM changes INDEXED BY changes_by_book
    WHERE book = ?1 AND kind <> 'created' AND kind = 'deleted'
  )`;

const summaries = `SELECT batch, at, ${changeKinds.join(', ')}, seq FROM batches`;

/** The change log, for reading. A position and a version are sequence numbers. */
export class ChangeLog implements ReadableLog {
  readonly #statements: Statements;
  readonly #checkTime: () => void;

  constructor({ statements, checkTime }: QueryContext) {
    this.#statements = statements;
    this.#checkTime = checkTime;
  }

  idsOfBatch(batch: string, { before, limit, except }: BatchRange): readonly number[] {
    this.#checkTime();
    if (except === undefined)
      return this.#statements.rows(idsOfBatch, batch, before, limit).map(([id]) => Number(id));
    const end = performance.now() + maxScanMs;
    for (let start = before; ;) {
      const size = start === before ? limit : maxScanned;
      const rows = this.#statements.rows(newestBatches, batch, start, size);
      start = Number(rows.at(-1)?.[0] ?? 0);
      const others = rows.filter(([, newest]) => !String(newest).startsWith(except));
      const ids = others.slice(0, limit).map(([id]) => Number(id));
      if (ids.length > 0 || rows.length < size) return ids;
      if (performance.now() > end) return [start]; // The caller goes on from there, unless its time is over, too.
      this.#checkTime();
    }
  }

  changesOf(
    ids: readonly number[],
    { batch, version, newest = maxChanges }: ChangesRequest,
  ): readonly LoggedBook[] {
    this.#checkTime();
    const most = Math.min(newest, maxChanges);
    const seq = version === undefined ? undefined : parseId(version);
    const rows = this.#statements.rows(changesOf, JSON.stringify(ids), batch ?? null, seq ?? null, most);
    return rows.map((row) => this.#toLogged(row, most));
  }

  /** One by one: each may be long, and many may be books that came back. */
  *deleted({ limit, after }: HistoryRequest): Generator<LoggedDelete> {
    for (const row of this.#statements.each(deletes, placeOf(after), limit)) {
      const [id = 0, ...others] = row;
      const [seq = 0, at, batch = null] = others.slice(fieldNames.length);
      this.#checkTime();
      const isInTrash = this.#statements.row(isGone, id, seq) !== undefined;
      yield {
        position: String(seq),
        at: new Date(Number(at)),
        batch: batch === null ? undefined : String(batch),
        book: isInTrash ? toStoredBook(row) : undefined,
      };
    }
  }

  batch(id: string): LoggedBatch | undefined {
    const row = this.#statements.row(`${summaries} WHERE batch = ?`, id);
    return row && toBatch(row);
  }

  batches({ limit, after }: HistoryRequest): readonly ListedBatch[] {
    const sql = `${summaries} WHERE seq < ? ORDER BY seq DESC LIMIT ?`;
    const rows = this.#statements.rows(sql, placeOf(after), limit);
    return rows.map((row) => ({ position: String(row.at(-1)), batch: toBatch(row) }));
  }

  #toLogged([id, newest, created, older]: Row, most: number): LoggedBook {
    const rows = JSON.parse(String(newest)) as JsonChange[];
    const isCut = rows.length === most;
    const first = isCut ? older : (created ?? null);
    if (typeof first === 'string') rows.push(JSON.parse(first) as JsonChange);
    const read = () => readNow(this.#statements, Number(id));
    let book: { readonly value: LoggedBook['book'] } | undefined;
    return {
      id: Number(id),
      get book() {
        return (book ??= { value: read() }).value;
      },
      changes: rows.reverse().map((change) => new StoredChange(this.#statements, change)),
      isCut,
      bytes: String(newest).length,
    };
  }
}

/** The sequence number of a change, its kind, time, batch and user. */
type JsonChange = readonly [
  seq: number,
  kind: ChangeKind,
  at: number,
  batch: string | null,
  user: string | null,
];

class StoredChange implements LoggedChange {
  readonly #statements: Statements;
  readonly #seq: number;
  readonly kind: ChangeKind;
  readonly at: Date;
  readonly batch: string | undefined;
  readonly user: string | undefined;

  constructor(statements: Statements, [seq, kind, at, batch, user]: JsonChange) {
    this.#statements = statements;
    this.#seq = seq;
    this.kind = kind;
    this.at = new Date(at);
    this.batch = batch ?? undefined;
    this.user = user ?? undefined;
  }

  get version(): string {
    return String(this.#seq);
  }

  get before(): LoggedChange['before'] {
    if (this.kind === 'created') return undefined;
    const row = this.#statements.row(stateBefore, this.#seq);
    if (row === undefined) return 'lost';
    const isNone = this.kind === 'reverted' && row[1] === null;
    return isNone ? undefined : (toStoredBook(row) ?? 'damaged');
  }
}

/** The change log within a transaction of the writer, which sets batch and user. Triggers log the changes. */
export class WritableLog extends ChangeLog implements BookLog {
  readonly #table: BookTable;

  constructor(statements: Statements, table: BookTable) {
    super({ statements, checkTime: () => undefined });
    this.#table = table;
  }

  /** Stops after a moment, but not before the first. */
  apply(changes: readonly Restoration[]): readonly number[] {
    const end = performance.now() + maxApplyMs;
    for (const [i, { logged, to }] of changes.entries()) {
      if (i > 0 && performance.now() > end) return changes.slice(i).map((change) => change.logged.id);
      const { id, book } = logged;
      if (book === 'damaged')
        throw new ShelflistError('store_damaged', { message: `record ${id} is not a book` });
      if (to === undefined) this.#table.delete(id);
      else this.#table.revert(book, to);
    }
    return [];
  }
}

function readNow(statements: Statements, id: number): LoggedBook['book'] {
  const row = statements.row(bookById, id);
  return row && (toStoredBook(row) ?? 'damaged');
}

/** @throws {ShelflistError} `invalid_query` */
function placeOf(position: string | undefined): number {
  const place = position === undefined ? Number.MAX_SAFE_INTEGER : parseId(position);
  if (place === undefined) throw notAPosition();
  return place;
}

function toBatch([batch, at, ...counts]: Row): LoggedBatch {
  return {
    batch: String(batch),
    at: new Date(Number(at)),
    ...countKinds((kind) => Number(counts[changeKinds.indexOf(kind)])),
  };
}
