// Examines a store or a backup for `shelflist doctor` and `restore`, without changing it.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ShelflistError } from '../../catalogue/errors.ts';
import { inspectFileSystem } from '../../lib/file-system.ts';
import { describeClock } from '../contract/history-clock.ts';
import type { BackupReport, StoreReport } from '../contract/driver.ts';
import { loadBinding } from './binding.ts';
import { isDamaged, readFile, readName, toStoredBook, Statements } from './connection.ts';
import { explain, fileName, hasStore, unusable } from './setup.ts';
import { isReplaced } from './open-files.ts';
import { namesAfter, newestFormat, readFormat } from './migrations.ts';
import { bookColumns, lastIdSql, latestSql, maxIdSql, prepareSchema } from './schema.ts';

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
    const schemaProblem = findSchemaProblem(db, format, readName);
    if (schemaProblem !== undefined)
      return { lastId: 0, highestId: 0, damaged: [], problems: [schemaProblem], ...(disk && { disk }) };
    const problems = quickCheck(db);
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

/**
 * Examines a file that `backup` wrote.
 *
 * @param name Its name for errors.
 * @throws {ShelflistError} `store_unusable`: it is not a backup, or it is damaged.
 */
export function inspectBackup(
  file: string,
  name = file,
  repair = 'choose another one',
  describe = explainBackup,
): BackupReport {
  const report = examine(
    file,
    name,
    true,
    (db, format) => {
      checkSound(db, { format, repair, name: readName });
      return {
        books: db.number('SELECT count(*) FROM books'),
        format,
        changedAt: new Date(db.number('SELECT clock FROM meta')),
        lastId: readLastId(db),
        damaged: findDamaged(db),
      };
    },
    describe,
  );
  if (report === undefined) throw unusable(name, 'it is not a backup: it is an empty database');
  return report;
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
 * The last id allocated. If another program set the counter below the highest id, SQLite continues from that id.
 *
 * @throws {ShelflistError} `store_unusable`: another program wrote the counter.
 */
function readLastId(db: Statements): number {
  const counter = db.number(lastIdSql);
  const lastId = Math.max(counter, db.number(maxIdSql));
  if (Number.isSafeInteger(lastId)) return lastId;
  throw refused('its counter of ids is not a number; export its books and import them into a new folder');
}

function refused(problem: string): ShelflistError {
  return new ShelflistError('store_unusable', { message: problem });
}

/**
 * @param name The name of the file in its connection.
 * @param repair What to do about damage.
 * @throws {ShelflistError} `store_unusable`: SQLite's own check finds damage, or a part of the schema is missing.
 */
export function checkSound(
  db: Statements,
  { format, repair, name = 'main' }: { format: number; repair: string; name?: string },
): void {
  const problem = findSchemaProblem(db, format, name) ?? quickCheck(db)[0];
  if (problem !== undefined) throw refused(`it is damaged (${problem}); ${repair}`);
}

/** The problems found by `PRAGMA quick_check`; empty for a sound file. */
function quickCheck(db: Statements): string[] {
  const lines = db.rows('PRAGMA quick_check(10)').flatMap(([text]) => String(text).split('\n'));
  return lines.filter((line) => line !== 'ok' && !line.startsWith('***'));
}

/**
 * What a file lacks of the schema of its format, or has otherwise. Without a trigger, for example, changes are not logged. Of older
 * formats, only the names are compared.
 */
function findSchemaProblem(db: Statements, format: number, name: string): string | undefined {
  const { DatabaseSync } = loadBinding();
  const model = new DatabaseSync(':memory:', { returnArrays: true });
  try {
    prepareSchema(model);
    const found = readSchema(db, name);
    const later = namesAfter(format);
    for (const [part, sql] of readSchema(new Statements(model), 'main')) {
      if (later.has(part.split(' ')[1] ?? '')) continue;
      if (!found.has(part)) return `the ${part} is missing`;
      if (format === newestFormat && found.get(part) !== sql)
        return `the ${part} is not that of format ${format}`;
    }
    return undefined;
  } finally {
    model.close();
  }
}

/** The tables with their columns, the indexes and the triggers, without the spaces that an ALTER leaves. */
function readSchema(db: Statements, name: string): ReadonlyMap<string, string> {
  const rows = db.rows(`
    SELECT type || ' ' || name, CASE WHEN name GLOB 'words*' THEN '' WHEN type = 'table' THEN (
      SELECT group_concat(c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk ORDER BY c.name)
      FROM pragma_table_info(part.name, '${name}') AS c
    ) ELSE sql END FROM ${name}.sqlite_schema AS part WHERE name NOT GLOB 'sqlite_*'`);
  return new Map(rows.map(([part, sql]) => [String(part), String(sql).replaceAll(/\s+/g, ' ')]));
}

function findDamaged(db: Statements): number[] {
  const damaged: number[] = [];
  for (const row of db.each(`SELECT ${bookColumns} FROM books`)) {
    if (toStoredBook(row) === undefined) damaged.push(Number(row[0]));
    if (damaged.length === maxDamaged) break;
  }
  return damaged;
}
