// Tells which books have changed, for caches of a connection.
import type { Statements } from './connection.ts';

/** With more changes than this, a cache is cleared as a whole, which is faster than reading their ids. */
const maxChanges = 1000;

/** A cache of books by id. */
interface BookCache {
  clear(): void;
  delete(id: number): void;
}

/** Follows the change log of a file, as one connection sees it. */
export class ChangedBooks {
  readonly #statements: Statements;
  /** Changes whenever another connection has written (sqlite.org/pragma.html#pragma_data_version). */
  #dataVersion = -1;
  #epoch = '';
  #lastChange = 0;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The epoch of the file and the sequence number of its last change, when they were last read. */
  get version(): string {
    return `${this.#epoch}.${this.#lastChange}`;
  }

  /** Removes from a cache the books that have changed since the last call. */
  removeFrom(cache: BookCache): void {
    const changed = this.#read();
    if (changed === undefined) cache.clear();
    else for (const id of changed) cache.delete(id);
  }

  /** The ids of the books that have changed since the last call; `undefined`: all may have. */
  #read(): readonly number[] | undefined {
    const dataVersion = this.#statements.number('PRAGMA data_version');
    if (dataVersion === this.#dataVersion) return [];
    const epoch = String(this.#statements.row('SELECT epoch FROM meta')?.[0]);
    // The log may have dropped changes already, and another program may have deleted the newest; its counter stays correct.
    const last = this.#statements.number("SELECT seq FROM sqlite_sequence WHERE name = 'changes'");
    const count = last - this.#lastChange;
    const isInLog = epoch === this.#epoch && count >= 0 && count <= maxChanges;
    const sql = 'SELECT CAST(book AS REAL) FROM changes WHERE seq > ? AND seq <= ?';
    const changes = isInLog ? this.#statements.rows(sql, this.#lastChange, last) : [];
    this.#lastChange = last;
    this.#epoch = epoch;
    this.#dataVersion = dataVersion;
    return isInLog && changes.length === count ? changes.map(([id]) => Number(id)) : undefined;
  }
}
