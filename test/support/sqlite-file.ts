import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

/** Opens the database of an embedded store as another program does: with none of the store's code. */
export function openFile(folder: string) {
  return new DatabaseSync(join(folder, 'shelflist.db'), { timeout: 5000 });
}

/** Runs SQL on the database of an embedded store, as another program does. */
export function changeFile(folder: string, sql: string): void {
  const db = openFile(folder);
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

/** The rows that a query gives, of the database of an embedded store. */
export function readFileRows(folder: string, sql: string): Record<string, unknown>[] {
  const db = openFile(folder);
  try {
    return db.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    db.close();
  }
}

/** Makes a record one that is not a book. */
export function spoilRecord(folder: string, id: number): void {
  changeFile(folder, `PRAGMA ignore_check_constraints = ON; UPDATE books SET title = 5 WHERE id = ${id}`);
}

/** What is wrong with the database of an embedded store: its pages, its indexes, and the books against index and log. */
export function faultsOf(folder: string): string[] {
  const db = openFile(folder);
  const texts = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => Object.values(row as object).join(' '));
  try {
    const faults = texts('PRAGMA integrity_check').filter((text) => text !== 'ok');
    db.exec("INSERT INTO words (words) VALUES ('integrity-check')");
    const rules: [what: string, sql: string][] = [
      ['a book without words', 'SELECT id FROM books WHERE id NOT IN (SELECT rowid FROM words)'],
      ['words without a book', 'SELECT rowid FROM words WHERE rowid NOT IN (SELECT id FROM books)'],
      ['a book without keys', 'SELECT id FROM books WHERE title_key IS NULL OR author_key IS NULL'],
      [
        'a book that the log says is gone',
        `SELECT id FROM books WHERE 'deleted' = (SELECT kind FROM changes WHERE book = id ORDER BY seq DESC LIMIT 1)`,
      ],
      [
        'a book that is gone, though the log does not say so',
        `SELECT book FROM changes AS c WHERE kind <> 'deleted' AND book NOT IN (SELECT id FROM books)
         AND seq = (SELECT max(seq) FROM changes WHERE book = c.book)`,
      ],
      [
        'a gap in the log',
        'SELECT seq FROM changes WHERE seq > (SELECT min(seq) FROM changes) AND seq - 1 NOT IN (SELECT seq FROM changes)',
      ],
      [
        'a wrong sum of bytes in the log',
        `SELECT history_bytes FROM meta WHERE history_bytes IS NOT (
           SELECT coalesce(sum(octet_length(title) + octet_length(author)), 0) FROM changes WHERE kind <> 'created')`,
      ],
    ];
    for (const [what, sql] of rules) faults.push(...texts(sql).map((text) => `${what}: ${text}`));
    return faults;
  } finally {
    db.close();
  }
}

/** The pages of a table or index, the root first; a free one has no owner. */
export function pagesOf(folder: string, name: string): number[] {
  const sql = `SELECT pageno FROM dbstat WHERE name = '${name}' ORDER BY path`;
  return readFileRows(folder, sql).map(({ pageno }) => Number(pageno));
}
