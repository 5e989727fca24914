// Moves a catalogue with its change log, record by record, from or to any kind of store. `backup.ts` copies the file.
import { join } from 'node:path';
import { fieldsOf } from '../../catalogue/book.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import { AtomicFile, createPrivateFile } from '../../lib/atomic-file.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { checkSound, explainBackup } from './inspect.ts';
import type { BookRecord, CopyHead, CopySource, CopyTarget, RecordedChange } from '../contract/copy.ts';
import { loadBinding, type Connection, type Row } from './binding.ts';
import { checkFile, handOver } from './backup.ts';
import { BookTable } from './change.ts';
import { connect, fileUri, Statements, toColumns, toStoredBook } from './connection.ts';
import { fillBatches, newestFormat, readFormat } from './migrations.ts';
import { bookColumns, bytesOfHistory, lastIdSql, maxIdSql, prepareSchema, stateColumns } from './schema.ts';
import {
  explain,
  fileName,
  hasStore,
  prepareEmptyFolder,
  restoreOrMove,
  unusable,
  unwritable,
} from './setup.ts';

const recordsAtOnce = 500;
const changesWithBatches = `
  SELECT ${stateColumns}, kind, at, batch FROM changes WHERE kind <> 'created' OR batch IS NOT NULL ORDER BY book, seq`;

/** Opens the store in a folder, as of now; a service may go on writing. @throws {ShelflistError} `store_unusable` */
export async function openSource(path: string): Promise<CopySource> {
  if (!(await hasStore(path))) throw unusable(path, 'there is none; name the folder of the service');
  return sourceOf(() => connect(join(path, fileName), { waitMs: 3000 }), path, storeAdvice);
}

/** Opens a backup. @throws {ShelflistError} `store_unusable` */
export async function openBackup(file: string, name: string): Promise<CopySource> {
  await checkFile(file, name);
  const { DatabaseSync } = loadBinding();
  const uri = fileUri(file, { mode: 'ro', immutable: '1' });
  return sourceOf(() => new DatabaseSync(uri, { returnArrays: true }), name, {
    migration: 'restore it, and start a service on that once, which migrates it; then copy that',
    repair: 'choose another one',
    describe: explainBackup,
  });
}

interface Advice {
  /** How a source of an older format gets the newest one. */
  readonly migration: string;
  /** What to do with a damaged one. */
  readonly repair: string;
  readonly describe: (error: unknown) => string;
}

const storeAdvice: Advice = {
  migration: 'start a service on it once, which migrates it',
  repair: restoreOrMove,
  describe: explain,
};

/** Checks every page first: a damaged one may read as fewer books. */
function sourceOf(open: () => Connection, name: string, { migration, repair, describe }: Advice): CopySource {
  let opened: Connection | undefined;
  try {
    const db = (opened = open());
    db.exec('BEGIN');
    const format = readFormat(db);
    if (format !== newestFormat)
      throw new ShelflistError('store_unusable', { message: `it has an older format; ${migration}` });
    const statements = new Statements(db);
    checkSound(statements, { format, repair });
    const lastId = Math.max(statements.number(lastIdSql), statements.number(maxIdSql));
    return {
      head: {
        lastId,
        clock: statements.number('SELECT history_clock FROM meta'),
        batches: statements.rows('SELECT batch FROM batches ORDER BY seq').map(([batch]) => String(batch)),
      },
      count: statements.number('SELECT count(*) FROM books'),
      records: () => readRecords(statements, name),
      close() {
        db.exec('ROLLBACK'); // Its statements keep the connection open until they are garbage collected.
        db.close();
        return Promise.resolve();
      },
    };
  } catch (error) {
    opened?.close();
    throw unusable(name, describe(error), error);
  }
}

/** Merges books and changes, both ordered by id. */
async function* readRecords(statements: Statements, name: string): AsyncGenerator<BookRecord[]> {
  const logs = logsOf(statements.each(changesWithBatches));
  let log = logs.next();
  let part: BookRecord[] = [];
  const take = async function* (record: BookRecord) {
    part.push(record);
    if (part.length < recordsAtOnce) return;
    yield part;
    part = [];
    await new Promise(setImmediate); // Lets signals arrive.
  };
  for (const row of statements.each(`SELECT ${bookColumns} FROM books ORDER BY id`)) {
    const book = toStoredBook(row);
    if (book === undefined)
      throw unusable(name, `record ${Number(row[0])} is not a book; \`shelflist doctor\` says what to do`);
    for (; log.done !== true && log.value.id < book.id; log = logs.next())
      if (isInTrash(log.value)) yield* take({ ...log.value, fields: undefined });
    const own = log.done !== true && log.value.id === book.id ? log.value : undefined;
    if (own !== undefined) log = logs.next();
    yield* take({
      id: book.id,
      creation: own?.creation,
      changes: own?.changes ?? [],
      fields: fieldsOf(book),
    });
  }
  for (; log.done !== true; log = logs.next())
    if (isInTrash(log.value)) yield* take({ ...log.value, fields: undefined });
  if (part.length > 0) yield part;
}

type Log = Omit<BookRecord, 'fields'>;

function isInTrash({ changes }: Log): boolean {
  const last = changes.at(-1);
  return last?.kind === 'deleted' && last.before !== undefined;
}

/** Groups the rows of the change log, ordered by book and time, by book. */
function* logsOf(rows: Iterable<Row>): Generator<Log> {
  let log: { id: number; creation: BookRecord['creation']; changes: RecordedChange[] } | undefined;
  for (const row of rows) {
    const id = Number(row[0]);
    const [kind, at, batch] = row.slice(1 + fieldNames.length);
    if (log?.id !== id) {
      if (log !== undefined) yield log;
      log = { id, creation: undefined, changes: [] };
    }
    const name = typeof batch === 'string' ? batch : undefined;
    if (kind === 'created') {
      if (name !== undefined) log.creation = { batch: name, at: Number(at) };
      continue;
    }
    const before = toStoredBook(row);
    log.changes.push({
      kind: kind as RecordedChange['kind'],
      at: Number(at),
      batch: name,
      before: before && fieldsOf(before),
    });
  }
  if (log !== undefined) yield log;
}

const columns = fieldNames.join(', ');
const addLoaded = `INSERT INTO loaded VALUES (?, ?, ?, ?, ?, ${fieldNames.map(() => '?').join(', ')})`;

/** Opens a folder without a store for a copy. The store appears complete and verified, or not at all. */
export async function openTarget(path: string): Promise<CopyTarget> {
  await prepareEmptyFolder(path);
  const file = new AtomicFile(join(path, fileName), { replace: false });
  const writing = async <T>(action: () => T): Promise<Awaited<T>> => {
    try {
      return await action();
    } catch (error) {
      throw unwritable(path, error);
    }
  };
  let db: Connection | undefined;
  const close = async () => {
    if (db?.isOpen === true) db.close();
    await file.discard();
  };
  try {
    await writing(() => createPrivateFile(file.draft, '')); // SQLite gives its mode to the journal.
    const target = await writing(() => prepareTarget((db = connect(file.draft))));
    return {
      after: 0,
      limit: (record) => record,
      write: (records) =>
        writing(() => {
          target.write(records);
        }),
      finish: (head) =>
        writing(() => {
          target.finish(head);
        }),
      read: () =>
        Promise.resolve(sourceOf(() => connect(file.draft), path, { ...storeAdvice, repair: 'copy again' })),
      release: () =>
        writing(async () => {
          await handOver(file.draft, path);
          await file.commit(0o600);
        }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function prepareTarget(db: Connection) {
  prepareSchema(db);
  // The file is synced when it gets its name; a killed process leaves a draft.
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
  const statements = new Statements(db);
  const table = new BookTable(statements);
  const triggers = statements.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'");
  for (const [name] of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
  db.exec(
    `CREATE TEMP TABLE loaded (moment INTEGER, book INTEGER, kind TEXT, at INTEGER, batch TEXT, ${columns})`,
  );
  return {
    write(records: readonly BookRecord[]) {
      db.exec('BEGIN');
      for (const record of records) load(statements, table, record);
      db.exec('COMMIT');
    },
    finish(head: CopyHead) {
      fill(db, statements, head);
      for (const [, sql] of triggers) db.exec(String(sql));
      db.close();
    },
  };
}

function load(statements: Statements, table: BookTable, { id, fields, creation, changes }: BookRecord): void {
  if (fields !== undefined) table.put({ id, ...fields });
  const nothing = fieldNames.map(() => null);
  if (creation !== undefined)
    statements.run(addLoaded, creation.at, id, 'created', creation.at, creation.batch, ...nothing);
  let moment = 0; // Never decreases within a book; `at` may.
  for (const { kind, at, batch, before } of changes) {
    moment = Math.max(moment, at);
    const state = before === undefined ? nothing : toColumns(before);
    statements.run(addLoaded, moment, id, kind, at, batch ?? null, ...state);
  }
}

/** Fills the change log from the loaded rows, ordered by time, and what is derived from it; the batches keep their own order. */
function fill(db: Connection, statements: Statements, { lastId, clock, batches }: CopyHead): void {
  db.exec('BEGIN');
  for (const batch of batches) statements.run('INSERT INTO batches VALUES (NULL, ?, 0, 0, 0, 0, 0)', batch);
  db.exec(`
    INSERT INTO changes (book, kind, at, batch, ${columns})
    SELECT book, kind, at, batch, ${columns} FROM loaded ORDER BY moment, rowid;
    ${fillBatches} ON CONFLICT (batch) DO UPDATE SET (at, created, updated, deleted, reverted) =
      (excluded.at, excluded.created, excluded.updated, excluded.deleted, excluded.reverted);
    UPDATE meta SET
      clock = coalesce((SELECT max(at) FROM changes), clock),
      history_bytes = ${bytesOfHistory(newestFormat)};
    DELETE FROM sqlite_sequence WHERE name = 'books';
    COMMIT;
    DROP TABLE loaded`);
  statements.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('books', ?)", lastId);
  statements.run('UPDATE meta SET history_clock = ?', clock);
}
