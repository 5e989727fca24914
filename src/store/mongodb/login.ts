// Logs in again when the server has ended the login of open connections.
import { MongoNotConnectedError, MongoTopologyClosedError } from 'mongodb';
import { hasServerCode, type Database } from './schema.ts';
import { unauthorized } from './start-advice.ts';

/** The minimum time between two logins, in milliseconds. */
const pauseMs = 500;

/**
 * Reconnects when the server has ended the login, because its user was dropped and recreated. The driver would keep the old
 * connections, which no longer have rights, for half a minute.
 */
export class Login {
  readonly #database: Database;
  readonly #signal: AbortSignal;
  #renewal: Promise<void> | undefined;
  #renewedAt = -Infinity;

  /** @param signal Stops further logins. */
  constructor(database: Database, signal: AbortSignal) {
    this.#database = database;
    this.#signal = signal;
  }

  /** Call it with the error of each call. */
  onError(error: unknown): void {
    const isRefused = hasServerCode(error, unauthorized);
    // A failed login leaves the client in this state.
    const isDown = error instanceof MongoNotConnectedError || error instanceof MongoTopologyClosedError;
    if (!(isRefused || isDown) || this.#renewal !== undefined || this.#signal.aborted) return;
    if (performance.now() - this.#renewedAt < pauseMs) return;
    this.#renewedAt = performance.now();
    this.#renewal = this.#renew()
      .catch(() => undefined) // The next call fails and tries again.
      .finally(() => {
        this.#renewal = undefined;
      });
  }

  /** Resolves when no login is in progress: a closed client must not connect again. */
  async settled(): Promise<void> {
    await this.#renewal;
  }

  async #renew(): Promise<void> {
    const { client, db } = this.#database;
    if (await this.#isLoggedIn(db)) return; // Only this call was denied.
    await client.close();
    await client.connect();
  }

  async #isLoggedIn(db: Database['db']): Promise<boolean> {
    try {
      const { authInfo } = await db.command({ connectionStatus: 1 });
      return (authInfo as { authenticatedUsers: unknown[] }).authenticatedUsers.length > 0;
    } catch {
      return false;
    }
  }
}
