import { setTimeout } from 'node:timers/promises';
import { ShelflistError, type Client } from '../../src/index.ts';
import { bookOf } from '../support/books.ts';
import { connect } from '../support/client.ts';
import { keepWriting, type Ledger } from '../support/ledger.ts';
import { credentials } from '../support/service.ts';
import type { Scope } from '../support/temp.ts';

/** A request that was not answered with success. */
export interface Failure {
  readonly code: string;
  /** When it was sent, by `performance.now()`. */
  readonly sent: number;
}

/** The load of many writers on one service, and its responses. */
export class Load {
  readonly ledger: Ledger;
  readonly failures: Failure[] = [];
  /** The duration of the slowest response. */
  slowestMs = 0;
  /** Acknowledged writes. */
  acknowledged = 0;
  readonly #end = new AbortController();
  readonly #clients: Client[] = [];
  readonly #writers: Promise<unknown>[] = [];
  #others = 0;
  #mistake: unknown;
  #newest = 0;

  private constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** Starts a writer with its own, logged-in client. */
  static async begin(context: Scope, url: string, ledger: Ledger, writers: number): Promise<Load> {
    const load = new Load(ledger);
    for (let i = 0; i < writers; i++) {
      const client = connect(context, url);
      await client.login(credentials.username, credentials.password);
      load.#clients.push(load.#observed(client));
    }
    context.after(() => load.end().catch(() => undefined));
    for (const client of load.#clients) load.#follow(keepWriting(ledger, client, load.#end.signal));
    return load;
  }

  /** Creates one more book, independently of the writers and without waiting for a response. */
  createBeside(author: string): void {
    const n = this.#others++;
    const client = this.#clients[n % this.#clients.length];
    if (client)
      this.#follow(this.ledger.create(client, bookOf({ title: `book ${n} beside`, author, year: n })));
  }

  /** Waits until a number of writes sent from now on are acknowledged. */
  async goesOn(writes: number, withinMs: number): Promise<void> {
    const begun = performance.now();
    const wanted = this.acknowledged + writes;
    while (this.acknowledged < wanted || this.#newest < begun) {
      if (this.#mistake !== undefined) throw this.#mistake as Error;
      if (performance.now() - begun > withinMs) {
        const { length } = this.failures;
        throw new Error(`no ${writes} writes within ${withinMs} ms; ${length} requests have failed so far`);
      }
      await setTimeout(5);
    }
  }

  /** Lets each writer finish its current write. Rejects if a writer got a response that cannot be true. */
  async end(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#writers);
  }

  #follow(writing: Promise<unknown>): void {
    writing.catch((error: unknown) => (this.#mistake = error)); // For callers that wait; `end` rejects for the others.
    this.#writers.push(writing);
  }

  #observed(client: Client): Client {
    const observe = async <T>(isWrite: boolean, answer: Promise<T>): Promise<T> => {
      const sent = performance.now();
      try {
        const result = await answer;
        if (isWrite) this.acknowledged++;
        if (isWrite) this.#newest = Math.max(this.#newest, sent);
        return result;
      } catch (error) {
        this.failures.push({ code: error instanceof ShelflistError ? error.code : String(error), sent });
        throw error;
      } finally {
        this.slowestMs = Math.max(this.slowestMs, performance.now() - sent);
      }
    };
    return {
      ...client,
      get: (id) => observe(false, client.get(id)),
      create: (fields) => observe(true, client.create(fields)),
      update: (id, patch) => observe(true, client.update(id, patch)),
      delete: (id) => observe(true, client.delete(id)),
    };
  }
}
