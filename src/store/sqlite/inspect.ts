// Examines a store or a backup for `shelflist doctor` and `restore`, without changing it.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ShelflistError } from '../../catalogue/errors.ts';
import { inspectFileSystem } from '../../lib/file-system.ts';
import { describeClock } from '../contract/history-clock.ts';
import type { BackupReport, StoreReport } from '../contract/driver.ts';
import { isDamaged, readFile, readName, toStoredBook, Statements } from './connection.ts';
import { explain, fileName, hasStore, restoreOrMove, unusable } from './setup.ts';
import { isReplaced } from './open-files.ts';
import { readFormat } from './migrations.ts';
import { bookColumns, lastIdSql, latestSql, maxIdSql, maxUsedIdSql } from './schema.ts';
import {
  findChangedPart,
  findForeignPart,
  findRowProblem,
  findValueProblem,
  quickCheck,
  schemaOf,
} from './soundness.ts';

/** The maximum number of records listed: nobody repairs more one by one. */
const maxDamaged = 100;

/** Examines the store in a folder, with SQLite's `quick_check`, and every book in it. Creates nothing. */
export async function inspectFolder(path: string): Promise<StoreReport | undefined> {
  if (!(await hasStore(path))) return undefined;
  if (await isReplaced(join(path, fileName)))
    throw unusable(
      path,
      `${fileName} was replaced under its running service, which writes nothing any more; put it back, or stop the service and ` +
        'start it on the new one',
    );
  // Without a log, no process has the store open. Opening it as immutable creates no files.
  const isImmutable = !(await readdir(path)).includes(`${fileName}-wal`);
  const disk = await inspectFileSystem(path).catch(() => undefined);
  return examine(join(path, fileName), path, isImmutable, (db, format) => {
    const unreadable = findUnreadable(db, format, readName);
    if (unreadable !== undefined)
      return { lastId: 0, highestId: 0, damaged: [], problems: [unreadable], ...(disk && { disk }) };
    const problems = findProblems(db, format);
    const clockProblem = describeClock(db.number(latestSql));
    return {
      lastId: readLastId(db),
      highestId: db.number(maxIdSql),
      damaged: problems.length === 0 ? findDamaged(db) : [],
      problems,
      ...(clockProblem !== undefined && { clockProblem }),
      ...(disk !== undefined && { disk }),
    };
  });
}

interface BackupCheck {
  /** What to do about damage. */
  readonly repair?: string;
  readonly describe?: (error: unknown) => string;
  /** Whether a part of another program is only reported: a new backup with one is better than none. */
  readonly acceptsForeign?: boolean;
}

/**
 * Examines a file that `backup` wrote.
 *
 * @param name Its name for errors.
 * @throws {ShelflistError} `store_unusable`: it is not a backup, or it is damaged.
 */
export function inspectBackup(
  file: string,
  name = file,
  { repair = 'choose another one', describe = explainBackup, acceptsForeign = false }: BackupCheck = {},
): BackupReport {
  const report = examine(
    file,
    name,
    true,
    (db, format) => {
      checkSound(db, { format, repair, name: readName, acceptsForeign });
      const foreign = acceptsForeign ? findForeignPart(db, schemaOf(format), readName) : undefined;
      return {
        books: db.number('SELECT count(*) FROM books'),
        format,
        changedAt: new Date(db.number('SELECT clock FROM meta')),
        lastId: readLastId(db),
        damaged: findDamaged(db),
        ...(foreign !== undefined && { foreign }),
      };
    },
    describe,
  );
  if (report === undefined) throw unusable(name, 'it is not a backup: it is an empty database');
  return report;
}

/**
 * Examines a copy of the store in a folder that was just made: damage in it is in the store.
 *
 * @throws {ShelflistError} `store_unusable`: the store is damaged.
 */
export function inspectNewBackup(file: string, path: string): BackupReport {
  return inspectBackup(file, path, { repair: restoreOrMove, describe: explain, acceptsForeign: true });
}

/** As {@link explain}, for a backup. */
export function explainBackup(error: unknown): string {
  return isDamaged(error) ? 'it is damaged, or not a backup; choose another one' : explain(error);
}

/**
 * @param name The name of the file for errors.
 * @returns `undefined` for an empty file, which an interrupted start leaves.
 */
function examine<T>(
  file: string,
  name: string,
  isImmutable: boolean,
  action: (db: Statements, format: number) => T,
  describe = explain,
): T | undefined {
  try {
    return readFile(file, isImmutable, (db) => {
      const format = readFormat(db, readName);
      return format === undefined ? undefined : action(new Statements(db), format);
    });
  } catch (error) {
    throw unusable(name, describe(error), error);
  }
}

/**
 * The last id allocated. If another program set the counter below a used id, the store continues from that id.
 *
 * @throws {ShelflistError} `store_unusable`: another program wrote the counter.
 */
function readLastId(db: Statements): number {
  const counter = db.number(lastIdSql);
  const lastId = Math.max(counter, db.number(maxUsedIdSql));
  if (Number.isSafeInteger(lastId)) return lastId;
  throw refused('its counter of ids is not a number; export its books and import them into a new folder');
}

function refused(problem: string): ShelflistError {
  return new ShelflistError('store_unusable', { message: problem });
}

/**
 * @param name The name of the file in its connection.
 * @param repair What to do about damage.
 * @param acceptsForeign As in {@link BackupCheck}.
 * @throws {ShelflistError} `store_unusable`: the tables or values are not those of its format, or SQLite's own check finds damage.
 */
export function checkSound(
  db: Statements,
  {
    format,
    repair,
    name = 'main',
    acceptsForeign = false,
  }: { format: number; repair: string; name?: string; acceptsForeign?: boolean },
): void {
  const problem = findUnreadable(db, format, name, acceptsForeign) ?? findProblems(db, format)[0];
  if (problem !== undefined) throw refused(`it is damaged (${problem}); ${repair}`);
}

/** A problem that prevents the search for others. */
function findUnreadable(
  db: Statements,
  format: number,
  name: string,
  acceptsForeign = false,
): string | undefined {
  const schema = schemaOf(format);
  return (
    findChangedPart(db, schema, name) ??
    (acceptsForeign ? undefined : findForeignPart(db, schema, name)) ??
    findValueProblem(db, format, name)
  );
}

/** The problems in all pages and rows; empty for a sound file. */
function findProblems(db: Statements, format: number): string[] {
  const problems = quickCheck(db);
  if (problems.length > 0) return problems;
  const problem = findRowProblem(db, format);
  return problem === undefined ? [] : [problem];
}

function findDamaged(db: Statements): number[] {
  const damaged: number[] = [];
  for (const row of db.each(`SELECT ${bookColumns} FROM books`)) {
    if (toStoredBook(row) === undefined) damaged.push(Number(row[0]));
    if (damaged.length === maxDamaged) break;
  }
  return damaged;
}
