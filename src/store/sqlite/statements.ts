import type { Connection, Row, Statement, Value } from './binding.ts';

/** More statements than this are forgotten all at once: queries come in few shapes. */
const maxStatements = 200;

/** Prepares each statement once, and types what it gives. */
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

  /** All rows; read them at once only where they are few. */
  rows(sql: string, ...values: readonly Value[]): readonly Row[] {
    return this.#prepare(sql).all(...values) as readonly Row[];
  }

  /** The rows one by one. A statement has one reader at a time. */
  each(sql: string, ...values: readonly Value[]): IterableIterator<Row> {
    return this.#prepare(sql).iterate(...values) as IterableIterator<Row>;
  }

  /** The first column of the first row, as a number; 0 where there is none. */
  number(sql: string, ...values: readonly Value[]): number {
    return Number(this.row(sql, ...values)?.[0] ?? 0);
  }

  run(sql: string, ...values: readonly Value[]): void {
    this.#prepare(sql).run(...values);
  }

  /** Runs an INSERT; gives the row id. */
  insert(sql: string, ...values: readonly Value[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
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
