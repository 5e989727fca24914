// Opens a store: prepares folder, file and threads.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { syncFolder } from '../../lib/atomic-file.ts';
import { inspectFileSystem } from '../../lib/file-system.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { changeRules, defaultRules } from '../../catalogue/sort-keys.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { describeNetwork } from '../contract/driver.ts';
import { describeClock } from '../contract/history-clock.ts';
import { defaultHistory, type BookStore, type StoreOptions } from '../contract/store.ts';
import { locateBinding, type Connection } from './binding.ts';
import { connect, isBusy, isDamaged, Statements } from './connection.ts';
import { identifyFiles, setLogAside } from './open-files.ts';
import { migrate, newestFormat, readFormat } from './migrations.ts';
import { lastIdSql, latestSql, maxIdSql, maxUsedIdSql, prepareSchema } from './schema.ts';
import { explain, fileName, prepareFolder, queueFileName, restoreOrMove, unusable } from './setup.ts';
import { findDamage, findProblem, schemaOf } from './soundness.ts';
import { SqliteStore } from './store.ts';
import { DamagedFileError } from './damage.ts';
import { createThread } from './thread.ts';

/** The deadline of a start, which ends within 5 s. */
const openMs = 4500;
/** How long a start indexes books that another program added; the rest are indexed in the background. */
const backfillMs = 2000;

/**
 * Opens a folder as the embedded store: one SQLite database. Several processes may have it open at once. The start
 * time does not depend on the number of books.
 *
 * @param openThread Creates each thread of the store; the simulation in the tests runs without threads.
 * @throws {ShelflistError} `store_unusable`, with what to do.
 */
export async function openSqliteStore(
  path: string,
  options: StoreOptions = {},
  openThread = createThread,
): Promise<BookStore> {
  const binding = locateBinding();
  const { isNew } = await prepareFolder(path);
  const file = join(path, fileName);
  const disk = await inspectFileSystem(path).catch(() => undefined);
  if (disk?.network !== undefined) options.logger?.warn({ store: path }, describeNetwork(disk.network));
  const db = await openDatabase(path, file, isNew, options);
  const fileIds = identifyFiles(file);
  if (isNew) await syncFolder(path);
  const { historyDays = defaultHistory.historyDays, historyMaxBytes = defaultHistory.historyMaxBytes } =
    options;
  const data = {
    binding,
    file,
    fileIds,
    schema: schemaOf(newestFormat),
    queueFile: join(path, queueFileName),
    historyDays,
    historyMaxBytes,
  };
  const threads = {
    writing: openThread(data),
    searching: openThread(data),
    background: openThread(data),
  };
  threads.writing.start(); // So that the first write does not wait for it.
  const store = new SqliteStore(db, threads, path, () => {
    setLogAside(file, fileIds);
  });
  try {
    await withTimeout(backfillMs, store.backfill(options));
  } catch (error) {
    if (!(error instanceof DamagedFileError)) return store;
    await store.close();
    throw unusable(path, explain(error), error);
  }
  return store;
}

/** Opens the file on this thread, in the newest format; retries while other processes lock it. */
async function openDatabase(
  path: string,
  file: string,
  isNew: boolean,
  options: StoreOptions,
): Promise<Connection> {
  const { logger } = options;
  let hasRepeated = false;
  for (const end = performance.now() + openMs; ;) {
    let db: Connection | undefined;
    let isOld = false;
    try {
      db = connect(file, { isNew });
      const format = readFormat(db) ?? newestFormat;
      isOld = format < newestFormat;
      if (isOld) {
        refuseUnsound(db, format);
        await migrate(db, file, logger);
      }
      prepareSchema(db, changeRules(defaultRules, options));
      if (!isNew) refuseUnsound(db, newestFormat);
      raiseCounter(db);
      const clockProblem = describeClock(new Statements(db).number(latestSql));
      if (clockProblem !== undefined) logger?.warn({ store: path }, clockProblem);
      return db;
    } catch (error) {
      db?.close();
      // See `repeatIfDamaged`: a new connection finds out whether the damage is real.
      if (isDamaged(error) && !hasRepeated) {
        hasRepeated = true;
        continue;
      }
      if (!isBusy(error)) throw unusable(path, explain(error, path), error);
      if (performance.now() > end) throw unusable(path, isOld ? inUse : explain(error, path), error);
      await setTimeout(10);
    }
  }
}

/** @throws {ShelflistError} `store_unusable`; an error of SQLite: it is damaged. */
function refuseUnsound(db: Connection, format: number): void {
  const statements = new Statements(db);
  const problem = findProblem(statements, schemaOf(format)) ?? findDamage(statements);
  if (problem !== undefined)
    throw new ShelflistError('store_unusable', { message: `it is damaged (${problem}); ${restoreOrMove}` });
}

/** Another program may have set the counter below the id of a book in the trash; SQLite considers only existing books. */
function raiseCounter(db: Connection): void {
  const statements = new Statements(db);
  const used = statements.number(maxUsedIdSql);
  const isBehind = () => used > Math.max(statements.number(lastIdSql), statements.number(maxIdSql));
  if (!isBehind()) return;
  statements.run("DELETE FROM sqlite_sequence WHERE name = 'books'");
  statements.run("INSERT INTO sqlite_sequence VALUES ('books', ?)", used);
}

const inUse =
  'it must get a newer format, which needs it alone; stop the process that has it open, and start again';
