import type { Connection, Row, Statement, Value } from './binding.ts';

/** Beyond this number, all cached statements are dropped. Queries have few shapes. */
const maxStatements = 200;

/** Prepares each statement once, and types its results. */
export class Statements {
  readonly #db: Connection;
  readonly #prepared = new Map<string, Statement>();

  constructor(db: Connection) {
    this.#db = db;
  }

  /** The first row. */
  row(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** All rows at once: only for small results. */
  rows(sql: string, ...values: readonly Value[]): readonly Row[] {
    return this.#prepare(sql).all(...values) as readonly Row[];
  }

  /** The rows one by one. Each statement allows one reader at a time. */
  each(sql: string, ...values: readonly Value[]): IterableIterator<Row> {
    return this.#prepare(sql).iterate(...values) as IterableIterator<Row>;
  }

  /** The first column of the first row, as a number; 0 if there is none. */
  number(sql: string, ...values: readonly Value[]): number {
    return Number(this.row(sql, ...values)?.[0] ?? 0);
  }

  run(sql: string, ...values: readonly Value[]): void {
    this.#prepare(sql).run(...values);
  }

  /** Runs an INSERT; returns the row id. */
  insert(sql: string, ...values: readonly Value[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  /** Drops the cached statements. */
  clear(): void {
    this.#prepared.clear();
  }

  #prepare(sql: string): Statement {
    const found = this.#prepared.get(sql);
    if (found !== undefined) return found;
    if (this.#prepared.size >= maxStatements) this.#prepared.clear();
    const statement = this.#db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
