import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Book, BookFields } from '../../src/catalogue/book.ts';
import { fieldNames, indexedTexts, textFields } from '../../src/catalogue/fields.ts';
import { duplicateHash } from '../../src/store/questions/duplicates.ts';
import { loadBinding } from '../../src/store/sqlite/binding.ts';
import { sameWord } from '../../src/store/sqlite/index-entry.ts';

/** The binding of the store: two copies of SQLite in a process release each other's file locks. */
export const { DatabaseSync } = loadBinding();

/** Opens the database of an embedded store as another program does: without the code of the store. */
export function openFile(folder: string) {
  return new DatabaseSync(join(folder, 'shelflist.db'), { timeout: 5000, defensive: false });
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

/** The rows of a query on the database of an embedded store. */
export function readFileRows(folder: string, sql: string): Record<string, unknown>[] {
  const db = openFile(folder);
  try {
    return db.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    db.close();
  }
}

/** The SQL with which another program adds a book. */
export function insertSql(book: BookFields & { id?: number }): string {
  const values = Object.values(book).map((value) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : value,
  );
  return `INSERT INTO books (${Object.keys(book).join()}) VALUES (${values.join()})`;
}

/** Changes a record so that it is not a book. */
export function spoilRecord(folder: string, id: number): void {
  changeFile(folder, `PRAGMA ignore_check_constraints = ON; UPDATE books SET title = 5 WHERE id = ${id}`);
}

/** Overwrites the first page of a table, as a failing disk does. The store must be closed. */
export async function damageTable(folder: string, table: string): Promise<void> {
  const [row] = readFileRows(folder, `SELECT rootpage FROM sqlite_schema WHERE name = '${table}'`);
  const file = await open(join(folder, 'shelflist.db'), 'r+');
  await file.write(Buffer.alloc(4096, 0xff), 0, 4096, (Number(row?.rootpage) - 1) * 4096);
  await file.close();
}

/** The problems in the database of an embedded store: pages, indexes, and books that disagree with index or log. */
export function faultsOf(folder: string): string[] {
  const db = openFile(folder);
  const texts = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => Object.values(row as object).join(' '));
  try {
    const problems = texts('PRAGMA integrity_check').filter((text) => text !== 'ok');
    db.exec("INSERT INTO words (words) VALUES ('integrity-check')");
    // The kind is that of the row with the maximum.
    const newest = 'SELECT book, kind, max(seq) FROM changes GROUP BY book';
    const rules: [what: string, sql: string][] = [
      ['a book without words', 'SELECT id FROM books WHERE id NOT IN (SELECT rowid FROM words)'],
      ['words without a book', 'SELECT rowid FROM words WHERE rowid NOT IN (SELECT id FROM books)'],
      [
        'a book without keys',
        `SELECT id FROM books WHERE ${indexedTexts.map((name) => `${name}_key IS NULL`).join(' OR ')}`,
      ],
      [
        'a book that the log says is gone',
        `SELECT id FROM books WHERE id IN (SELECT book FROM (${newest}) WHERE kind = 'deleted')`,
      ],
      [
        'a book that is gone, though the log does not say so',
        `SELECT book FROM (${newest}) WHERE kind <> 'deleted' AND book NOT IN (SELECT id FROM books)`,
      ],
      [
        'a change whose earlier state does not fit the change before it',
        `SELECT seq FROM (SELECT seq, ${textFields[0]} AS earlier, lag(kind) OVER (PARTITION BY book ORDER BY seq) AS
         previous FROM changes) WHERE previous IS NOT NULL AND (previous = 'deleted') <> (earlier IS NULL)`,
      ],
      [
        'a gap in the log',
        'SELECT seq FROM changes WHERE seq > (SELECT min(seq) FROM changes) AND seq - 1 NOT IN (SELECT seq FROM changes)',
      ],
      [
        'a wrong sum of bytes in the log',
        `SELECT history_bytes FROM meta WHERE history_bytes IS NOT (SELECT coalesce(sum(
         ${textFields.map((name) => `coalesce(octet_length(${name}), 0)`).join(' + ')} +
         coalesce(2 * length(batch), 0)), 0) FROM changes)`,
      ],
    ];
    for (const [what, sql] of rules) problems.push(...texts(sql).map((text) => `${what}: ${text}`));
    problems.push(...wrongSameWords(db));
    return problems;
  } finally {
    db.close();
  }
}

/** The books that `findDuplicatesOf` would not find, or would take for others: their word in the index is not that of their texts. */
function wrongSameWords(db: ReturnType<typeof openFile>): string[] {
  db.exec('CREATE VIRTUAL TABLE temp.instances USING fts5vocab(main, words, instance)');
  const found = new Map<number, string[]>();
  for (const { term, doc } of db
    .prepare("SELECT term, doc FROM instances WHERE term >= '§' AND term < '¨'")
    .iterate() as Iterable<{ term: string; doc: number }>)
    found.set(doc, [...(found.get(doc) ?? []), term]);
  const books = db.prepare(`SELECT id, ${fieldNames.join()} FROM books`).all() as unknown as Book[];
  const textOf = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value);
  return books.flatMap((row) => {
    const book = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(value)]));
    const word = sameWord(duplicateHash(book as unknown as Book));
    const words = found.get(row.id)?.join(' ') ?? 'no word';
    return words === word ? [] : [`book ${row.id} has ${words} for findDuplicatesOf, not ${word}`];
  });
}

/** The pages of a table or index, the root first; a free one has no owner. */
export function pagesOf(folder: string, name: string): number[] {
  const sql = `SELECT pageno FROM dbstat WHERE name = '${name}' ORDER BY path`;
  return readFileRows(folder, sql).map(({ pageno }) => Number(pageno));
}
