// The context of a query: its prepared statements, and its time limit.
import { ShelflistError } from '../../catalogue/errors.ts';
import { hasSpelling } from '../../catalogue/spelling.ts';
import { keptSince } from '../contract/history-clock.ts';
import { defaultHistory } from '../contract/store.ts';
import type { Connection, Value } from './binding.ts';
import { Statements, toText } from './connection.ts';

/** A query is abandoned after this time: its caller no longer waits. */
const maxQueryMs = 4500;

/** The SQL function that throws when the query takes too long. The binding cannot interrupt a statement. */
export const checkFunction = 'check_time';

/** The SQL function of {@link hasSpelling}: whether a text has the same words, letters and signs as another. */
export const sameTextFunction = 'is_same_text';

/** The context of a query: a connection, and a time limit. */
export interface QueryContext {
  readonly statements: Statements;
  /** Called repeatedly; throws when the query takes too long, or its caller no longer waits. */
  readonly checkTime: () => void;
}

/** The time of the oldest change that counts, in milliseconds since 1970. */
export function keptSinceOf(statements: Statements, historyDays: number): number {
  return keptSince(statements.number('SELECT history_clock FROM meta'), historyDays);
}

/** A connection for queries, one after the other. They block, so it must run in a worker thread. */
export class Reader implements QueryContext {
  readonly statements: Statements;
  readonly #historyDays: number;
  readonly #db: Connection;
  readonly #isStopped: () => boolean;
  #end = Infinity;

  /** @param isStopped Whether the caller of the query no longer waits. */
  constructor(db: Connection, isStopped = () => false, historyDays: number = defaultHistory.historyDays) {
    this.#db = db;
    this.#historyDays = historyDays;
    this.#isStopped = isStopped;
    this.statements = new Statements(db);
    db.function(checkFunction, () => {
      try {
        this.checkTime();
        return 1;
      } catch (error) {
        this.statements.clear(); // A statement that failed fails again when it is reset.
        throw error;
      }
    });
    db.function(sameTextFunction, (text: Value, folded: Value, spelling: Value) =>
      Number(
        hasSpelling(toText(text), {
          folded: toText(folded),
          spelling: spelling === null ? undefined : toText(spelling),
        }),
      ),
    );
  }

  /** As {@link keptSinceOf}. */
  get historyBegin(): number {
    return keptSinceOf(this.statements, this.#historyDays);
  }

  /** Runs one query within its time limit, on one state of the file. */
  answer<T>(question: () => T): T {
    this.#end = performance.now() + maxQueryMs;
    this.#db.exec('BEGIN');
    try {
      return question();
    } catch (error) {
      this.statements.clear();
      throw error;
    } finally {
      if (this.#db.isTransaction) this.#db.exec('COMMIT');
    }
  }

  readonly checkTime = (): void => {
    if (this.#isStopped()) throw new ShelflistError('unavailable', { message: 'the query was abandoned' });
    if (performance.now() > this.#end)
      throw new ShelflistError('unavailable', { message: 'the query takes too long; narrow it' });
  };
}
