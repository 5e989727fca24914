// Checks whether a file has the tables of its format, nothing that changes or refuses writes, and only values that the store can work with.
import { indexedIntegers } from '../../catalogue/fields.ts';
import { parseRules } from '../../catalogue/sort-keys.ts';
import { maxBooksAtOnce } from '../contract/create.ts';
import { latestMs } from '../contract/history-clock.ts';
import { loadBinding } from './binding.ts';
import { Statements } from './connection.ts';
import { createTables, newestFormat } from './migrations.ts';
import { keyColumns, maxInteger } from './schema.ts';

/** What a file of a format has. */
export interface FileSchema {
  readonly format: number;
  readonly parts: Parts;
}

/** The SQL of the tables, indexes, triggers and views, by names such as `table books`. */
type Parts = Readonly<Record<string, string>>;

const known = new Map<number, FileSchema>();

export function schemaOf(format: number): FileSchema {
  const found = known.get(format);
  if (found !== undefined) return found;
  const { DatabaseSync } = loadBinding();
  const model = new DatabaseSync(':memory:', { returnArrays: true });
  try {
    createTables(model, format);
    const schema = { format, parts: readParts(new Statements(model), 'main') };
    known.set(format, schema);
    return schema;
  } finally {
    model.close();
  }
}

/**
 * Finds a part that is missing or different: without a trigger, for example, changes are not logged.
 *
 * @param name The name of the file in its connection.
 */
export function findChangedPart(
  db: Statements,
  { format, parts }: FileSchema,
  name = 'main',
): string | undefined {
  const found = readParts(db, name);
  for (const [part, sql] of Object.entries(parts)) {
    if (found[part] === undefined) return `the ${part} is missing`;
    if (found[part] !== sql) return `the ${part} is not that of format ${format}`;
  }
  return undefined;
}

/**
 * Finds a part of another program that may change or refuse a write, or the migration to the newest format. Other ones, such as
 * the views of a report, are harmless.
 *
 * @param name As {@link findChangedPart}.
 */
export function findForeignPart(
  db: Statements,
  { format, parts }: FileSchema,
  name = 'main',
): string | undefined {
  const namesOf = (of: Parts) => Object.keys(of).map((part) => part.slice(part.indexOf(' ') + 1));
  const isOwn = new Set(namesOf(parts));
  const isReserved = new Set(format < newestFormat ? namesOf(schemaOf(newestFormat).parts) : []);
  for (const part of Object.keys(readParts(db, name))) {
    if (Object.hasOwn(parts, part)) continue;
    const [type, object, table] = (
      db.row(
        `SELECT type, name, lower(tbl_name) FROM ${name}.sqlite_schema WHERE type || ' ' || name = ?`,
        part,
      ) ?? []
    ).map(String);
    if (isReserved.has(object?.toLowerCase() ?? ''))
      return `the ${part} has a name that shelflist needs: rename it`;
    const isHarmless = !isOwn.has(table ?? '') || (type === 'index' && isPlainIndex(db, part.slice(6), name));
    if (!isHarmless) return `the ${part} is foreign, and may change or refuse writes: drop it`;
  }
  return undefined;
}

/** Whether an index accepts every row: a unique one does not, and an expression, a condition or an unknown collation may fail. */
function isPlainIndex(db: Statements, index: string, name: string): boolean {
  const special = `
    SELECT 1 FROM ${name}.sqlite_schema AS part, pragma_index_list(part.tbl_name, '${name}') AS list
    WHERE part.type = 'index' AND part.name = ?1 AND list.name = ?1 AND (list."unique" OR list.partial)
    UNION ALL
    SELECT 1 FROM pragma_index_xinfo(?1, '${name}')
    WHERE cid = -2 OR upper(coll) NOT IN ('BINARY', 'NOCASE', 'RTRIM')`;
  return db.row(special, index) === undefined;
}

/** Normalises the spaces that an ALTER leaves; omits what SQLite creates for itself, whose SQL depends on its version. */
function readParts(db: Statements, name: string): Parts {
  const rows = db.rows(`
    SELECT type || ' ' || name, iif(type = 'table' AND name GLOB 'words_*', '', sql) FROM ${name}.sqlite_schema
    WHERE NOT (type = 'index' AND sql IS NULL)
    AND NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'))`);
  const plain = (sql: string) => sql.replaceAll(/\s+/g, ' ').replaceAll(/ ?([(),]) ?/g, '$1');
  return Object.fromEntries(rows.map(([part, sql]) => [String(part), plain(String(sql))]));
}

/** A rule for all rows of a table. */
type Rule = readonly [table: string, what: string, rule: string];

const between = (column: string, from: number, to: number): string => `${column} BETWEEN ${from} AND ${to}`;
const isTime = (column: string): string => between(column, 0, latestMs);

/** Rules for values at which the first read or write would fail, or lose books. */
const values = (format: number, fileBytes: number): readonly Rule[] => [
  ['meta', 'the epoch', "epoch NOT GLOB '*[^A-Za-z0-9-]*' AND length(epoch) BETWEEN 1 AND 64"],
  ['meta', 'the time of the latest change', isTime('clock')],
  ['meta', 'the size of the history', between('history_bytes', 0, fileBytes)],
  ['meta', 'the place of the new words', `folded_to IS NULL OR ${between('folded_to', 0, maxInteger)}`],
  ...(format < 3 ? [] : ([['meta', 'the clock of the history', isTime('history_clock')]] as const)),
  [
    'sqlite_sequence',
    'a counter',
    `name = 'books' OR ${between('seq', 0, 2 ** 52)} AND typeof(seq) = 'integer'`,
  ],
];

/** Rules for values at which a later call would fail. */
const rows = (format: number): readonly Rule[] => [
  [
    'changes',
    'a change',
    `${between('seq', 1, maxInteger)} AND ${between('book', 1, maxInteger)} AND ${isTime('at')}`,
  ],
  ...(format < 2
    ? []
    : ([
        [
          'repeats',
          'an idempotency key',
          `${between('first', 0, maxInteger)} AND ${between('books', 0, maxBooksAtOnce)} AND ${isTime('at')}`,
        ],
      ] as const)),
  ...(format < 3
    ? []
    : ([
        [
          'batches',
          'a batch',
          [
            isTime('at'),
            ...['seq', 'created', 'updated', 'deleted', 'reverted'].map((name) =>
              between(name, 0, maxInteger),
            ),
          ].join(' AND '),
        ],
      ] as const)),
];

/** Finds what is wrong with the few values that every call needs. Takes constant time. @param name As {@link findChangedPart}. */
export function findValueProblem(db: Statements, format: number, name = 'main'): string | undefined {
  const count = db.number('SELECT count(*) FROM (SELECT 1 FROM meta LIMIT 2)');
  if (count !== 1) return `the table meta has ${count === 0 ? 'no row' : 'several rows'}`;
  const twice = db.row('SELECT name FROM sqlite_sequence GROUP BY name HAVING count(*) > 1 LIMIT 1');
  if (twice !== undefined) return `there are two counters for ${String(twice[0])}`;
  const fileBytes = db.number(`PRAGMA ${name}.page_count`) * db.number(`PRAGMA ${name}.page_size`);
  const problem = findBroken(db, values(format, fileBytes));
  if (problem !== undefined || format < 5) return problem;
  const [json] = db.row('SELECT sort_rules FROM meta') ?? [];
  const areRules = json === null || (typeof json === 'string' && parseRules(json) !== undefined);
  return areRules ? undefined : 'the rules of the order are out of range';
}

/** The check of a start, and of a writer after another program has changed the tables. Takes constant time. */
export function findProblem(db: Statements, schema: FileSchema): string | undefined {
  return findChangedPart(db, schema) ?? findForeignPart(db, schema) ?? findValueProblem(db, schema.format);
}

/** Finds what is wrong with any row of the change log and its companion tables. Reads all of them. */
export function findRowProblem(db: Statements, format: number): string | undefined {
  return findBroken(db, rows(format));
}

function findBroken(db: Statements, rules: readonly Rule[]): string | undefined {
  for (const [table, what, rule] of rules)
    if (db.row(`SELECT 1 FROM ${table} WHERE (${rule}) IS NOT TRUE LIMIT 1`) !== undefined)
      return `${what} is out of range (table ${table})`;
  return undefined;
}

/** The problems of pages that `PRAGMA quick_check` finds; empty for a sound file. It also reports records that are not books. */
export function quickCheck(db: Statements): string[] {
  const lines = db.rows('PRAGMA quick_check(100)').flatMap(([text]) => String(text).split('\n'));
  const isOfRecord = /^(?:CHECK constraint failed|(?:NULL|NUMERIC|TEXT|non-\w+) value) in /;
  return lines.filter((line) => line !== 'ok' && !line.startsWith('***') && !isOfRecord.test(line));
}

/** The size of a file that a start checks completely, in pages: 1 MiB, about 2500 books. */
const maxChecked = 256;

/** Reads the ends of the tables and indexes that each format has, and a word. */
const ends: readonly string[] = [
  ...['id', ...indexedIntegers, ...keyColumns].map((name) => endsOf('books', name)),
  endsOf('changes', 'seq'),
  "SELECT 1 FROM words WHERE words MATCH 'the' LIMIT 1",
];

function endsOf(table: string, column: string): string {
  return `SELECT 1 WHERE (SELECT max(${column}) FROM ${table}) < (SELECT min(${column}) FROM ${table})`;
}

/** Finds damage in constant time, for a start. @throws An error of SQLite that reports damage. */
export function findDamage(db: Statements): string | undefined {
  if (db.number('PRAGMA page_count') <= maxChecked) return quickCheck(db)[0];
  for (const sql of ends) db.row(sql);
  return undefined;
}
