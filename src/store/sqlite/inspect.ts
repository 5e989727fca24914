import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toBook } from '../../book.ts';
import type { BackupReport, StoreReport } from '../driver.ts';
import type { Connection } from './binding.ts';
import { connectReadOnly, toFields } from './connection.ts';
import { explain, fileName, hasStore, unusable } from './folder.ts';
import { hasSchema, readNumber } from './schema.ts';
import { Statements } from './statements.ts';

/** Who has more of them does not repair them one by one. */
const maxDamaged = 100;
const lastId = "SELECT seq FROM sqlite_sequence WHERE name = 'books'";

/** Examines the store in a folder: SQLite's `quick_check`, and every book. Creates nothing. */
export async function inspectFolder(path: string): Promise<StoreReport | undefined> {
  if (!(await hasStore(path))) return undefined;
  // Without a log nobody has it open, and to share memory with nobody would create files.
  const isImmutable = !(await readdir(path)).includes(`${fileName}-wal`);
  return examine(join(path, fileName), path, isImmutable, (db) => {
    const problems = quickCheck(db);
    return {
      lastId: readNumber(db, lastId),
      highestId: readNumber(db, 'SELECT max(id) FROM books'),
      damaged: problems.length === 0 ? findDamaged(db) : [],
      problems,
    };
  });
}

/**
 * Examines a file that `backup` wrote.
 *
 * @throws {ShelflistError} `store_unusable`: it is not a backup, or it is damaged.
 */
export function inspectBackup(file: string): BackupReport {
  return examine(file, file, true, (db) => {
    const [problem] = quickCheck(db);
    if (problem !== undefined) throw unusable(file, `it is damaged (${problem})`);
    return {
      books: readNumber(db, 'SELECT count(*) FROM books'),
      lastId: readNumber(db, lastId),
      damaged: findDamaged(db),
    };
  });
}

/** @param name What the file is called in an error. */
function examine<T>(file: string, name: string, isImmutable: boolean, action: (db: Connection) => T): T {
  let db: Connection | undefined;
  try {
    db = connectReadOnly(file, { isImmutable });
    if (!hasSchema(db)) throw unusable(name, 'it holds no tables of shelflist');
    return action(db);
  } catch (error) {
    throw unusable(name, explain(error), error);
  } finally {
    db?.close();
  }
}

/** What `PRAGMA quick_check` found; empty for a sound file. */
function quickCheck(db: Connection): string[] {
  const rows = new Statements(db).rows('PRAGMA quick_check(10)').map(([text]) => String(text));
  return rows.length === 1 && rows[0] === 'ok' ? [] : rows;
}

function findDamaged(db: Connection): number[] {
  const damaged: number[] = [];
  for (const [id, title, author, year] of new Statements(db).each(
    'SELECT id, title, author, year FROM books',
  )) {
    if (toBook({ id, ...toFields(title, author, year) }) === undefined) damaged.push(Number(id));
    if (damaged.length === maxDamaged) break;
  }
  return damaged;
}
