import { changeableSettings } from '../../../catalogue/changeable-settings.ts';
import cluster, { type Worker } from 'node:cluster';
import { availableParallelism } from 'node:os';
import { once } from 'node:events';
import { createLoginCodes } from '../../../auth/login-codes.ts';
import { createLoginRateLimit } from '../../../auth/login-rate-limit.ts';
import type { ServiceSettings } from '../../../config/read-settings.ts';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { CommandError, createFailure, type Failure } from '../../command-error.ts';
import type { Certificate } from '../../../server/config.ts';
import { createLookUp, type LookUp } from '../../../lookup/look-up.ts';
import { Semaphore } from '../../../lib/semaphore.ts';
import type { StorePassword } from '../../../server/routes/access.ts';
import { isSocketUrl } from '../../../lib/addresses.ts';
import type { KeptSettings } from './kept-settings.ts';
import {
  failureOf,
  isReport,
  sendOrder,
  workerVariable,
  type PassedSocket,
  type Report,
  type Say,
} from './messages.ts';
import {
  type Counts,
  type Numbers,
  type ProcessState,
  addCounts,
  formatMetrics,
  noCounts,
} from '../../../server/observability/metrics.ts';

/** A worker that exits sooner has failed to start. */
const minUptimeMs = 1000;
/** After this many early exits in a row, the service gives up. One that runs longer and fails is replaced for ever. */
const maxEarlyExits = 5;
/** A worker answers requests for at most 8 s after it was told to stop; then it is killed. */
const stopDeadlineMs = 9500;

/** A worker, and how far its start has come. */
interface Start {
  readonly worker: Worker;
  readonly warn: boolean;
  /** An exit before this time is early. */
  healthyFrom: number;
  isListening?: true;
  /** Why it will exit. */
  failure?: Failure;
  readonly resolve: (url: string) => void;
  readonly reject: (error: Failure) => void;
}

/** Several processes that share one listening port. The primary opens no store and answers no requests. */
export class Workers {
  readonly #say: Say;
  readonly #storePassword: StorePassword;
  readonly #passwords = new Semaphore(1);
  readonly #logins = createLoginRateLimit();
  readonly #codes = createLoginCodes();
  readonly #kept: KeptSettings;
  readonly #passed: PassedSocket | undefined;
  #lookUp: LookUp;
  readonly #count: number;
  readonly #running = new Set<Worker>();
  readonly #failure = new AbortController();
  readonly #tally = new Tally();
  #settings: ServiceSettings;
  #listening = 0;
  #port: number | undefined;
  #earlyExits = 0;
  #stopping = false;

  /**
   * @param say Reports the state of the workers.
   * @param storePassword Stores a new password.
   * @param kept The settings that requests can change.
   * @param passed The socket that systemd has passed.
   */
  constructor(
    settings: ServiceSettings,
    say: Say,
    storePassword: StorePassword,
    kept: KeptSettings,
    passed: PassedSocket | undefined,
  ) {
    if (!cluster.isPrimary) {
      throw new CommandError('failed', {
        message:
          'cannot start workers: this process is a worker of another program, which can start more; set WORKERS=1',
      });
    }
    this.#say = say;
    this.#storePassword = storePassword;
    this.#settings = settings;
    this.#kept = kept;
    this.#passed = passed;
    kept.onChange(() => {
      this.#applySettings();
    });
    this.#lookUp = createLookUp(settings.bookLookup.value);
    this.#count = settings.workers.value;
    // With round-robin scheduling, a connection that is being handed to a dying worker would hang forever.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  /** Aborted, with the reason, when workers keep exiting early. */
  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  /**
   * Resolves with the address once all workers listen there.
   *
   * @throws {ShelflistError} The error of a worker. `close` ends the others.
   */
  async listen(): Promise<string> {
    // The first one prepares the store and binds the port. If it fails, the others are not started.
    const url = await this.#start({ warn: true });
    this.#kept.url = url;
    if (this.#stopping) return url;
    if (!isSocketUrl(url)) {
      const { port, protocol } = new URL(url); // It omits the default port.
      this.#port = Number(port || (protocol === 'https:' ? 443 : 80));
    }
    let left = this.#count - 1;
    const startSome = async (): Promise<void> => {
      while (left-- > 0 && !this.#stopping) await this.#start({ warn: false });
    };
    // Starting more than one per core at once takes as long, and a started worker cannot be stopped.
    await Promise.all(Array.from({ length: availableParallelism() }, startSome));
    return url;
  }

  replaceCertificate(certificate: Certificate): void {
    const { tlsCert, tlsKey } = this.#settings;
    const { cert, key } = certificate;
    const settings = { tlsCert: { ...tlsCert, value: cert }, tlsKey: { ...tlsKey, value: key } };
    this.#settings = { ...this.#settings, ...settings };
    for (const worker of this.#running) sendOrder(worker, { order: 'secure', certificate });
  }

  /** Waits until the workers have answered the requests in flight and exited. */
  async close(): Promise<void> {
    this.#stopping = true;
    const workers = [...this.#running];
    const deadline = setTimeout(() => {
      for (const worker of this.#running) worker.process.kill('SIGKILL');
    }, stopDeadlineMs);
    const ended = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) sendOrder(worker, { order: 'stop' });
    await Promise.all(ended);
    clearTimeout(deadline);
  }

  /** Starts a worker, and replaces it when it exits. Resolves with its address once it listens. */
  #start({ warn }: { warn: boolean }): Promise<string> {
    const worker = cluster.fork({ [workerVariable]: 'true' });
    this.#running.add(worker);
    return new Promise((resolve, reject) => {
      const start: Start = { worker, warn, healthyFrom: performance.now() + minUptimeMs, resolve, reject };
      worker.on('message', (message: unknown) => {
        if (isReport(message)) this.#receive(start, message);
      });
      worker.on('error', (error) => {
        if (worker.process.pid === undefined) this.#ended(start, error.message); // The system could not start it.
      });
      worker.once('exit', (status: number | null, signal: string | null) => {
        this.#ended(start, signal ?? `status ${status}`);
      });
    });
  }

  #receive(start: Start, message: Report): void {
    const { worker, warn } = start;
    switch (message.report) {
      case 'ready':
        this.#keepPort();
        sendOrder(
          worker,
          this.#stopping
            ? { order: 'stop' }
            : { order: 'start', settings: this.#settings, warn, passed: this.#passed },
        );
        break;
      case 'password':
        void this.#changePassword(message).then(
          () => {
            sendOrder(worker, { order: 'stored', ask: message.ask });
          },
          (error: unknown) => {
            sendOrder(worker, { order: 'stored', ask: message.ask, failure: failureOf(error) });
          },
        );
        break;
      case 'lookup': {
        const { ask, isbn } = message;
        void this.#lookUp(isbn).then(
          (book) => {
            sendOrder(worker, { order: 'found', ask, book });
          },
          (error: unknown) => {
            sendOrder(worker, { order: 'found', ask, failure: failureOf(error) });
          },
        );
        break;
      }
      case 'settings': {
        const { ask, patch } = message;
        void (patch === undefined ? this.#kept.read() : this.#kept.change(patch)).then(
          (settings) => {
            sendOrder(worker, { order: 'settings', ask, settings });
          },
          (error: unknown) => {
            sendOrder(worker, { order: 'settings', ask, failure: failureOf(error) });
          },
        );
        break;
      }
      case 'failed':
        start.failure = createFailure(message.code, message.message);
        break;
      case 'login': {
        const { ask, address, hasFailed } = message;
        const seconds = hasFailed ? this.#logins.fail(address) : this.#logins.wait(address);
        sendOrder(worker, { order: 'limit', ask, seconds });
        break;
      }
      case 'code':
        sendOrder(worker, { order: 'code', ask: message.ask, text: this.#codes.create(message.token) });
        break;
      case 'exchange':
        sendOrder(worker, { order: 'code', ask: message.ask, text: this.#codes.take(message.code) });
        break;
      case 'listening':
        start.isListening = true;
        this.#listening++;
        this.#tally.follow(worker);
        start.healthyFrom = performance.now() + minUptimeMs;
        start.resolve(message.url);
    }
  }

  /** @throws {ShelflistError} `invalid_credentials`: another worker has changed the password meanwhile; and as storing does. */
  #changePassword({ password, previous }: { password: string; previous: string }): Promise<void> {
    return this.#passwords.run(async () => {
      const { authPassword } = this.#settings;
      if (authPassword.value !== previous) throw new ShelflistError('invalid_credentials');
      await this.#storePassword(password, previous);
      this.#settings = { ...this.#settings, authPassword: { ...authPassword, value: password } };
      for (const worker of this.#running) sendOrder(worker, { order: 'accept', password });
    });
  }

  /** Lets all workers use the changed settings, also those that start later. */
  #applySettings(): void {
    const { live, used } = this.#kept;
    if (live.bookLookup !== this.#settings.bookLookup.value) this.#lookUp = createLookUp(live.bookLookup);
    const changed = changeableSettings.map((name) => [name, { ...this.#settings[name], value: used[name] }]);
    this.#settings = { ...this.#settings, ...(Object.fromEntries(changed) as Partial<ServiceSettings>) };
    for (const worker of this.#running) sendOrder(worker, { order: 'apply', live });
  }

  #ended({ worker, healthyFrom, isListening, failure, reject }: Start, how: string): void {
    if (!this.#running.delete(worker)) return;
    this.#earlyExits = performance.now() < healthyFrom ? this.#earlyExits + 1 : 0;
    if (isListening === true) {
      this.#listening--;
      if (this.#passed !== undefined && this.#listening === 0 && !this.#stopping) {
        // node:cluster closes the descriptor when the last worker exits. Later workers would listen on whatever has its number then.
        const message = `all workers exited (${how}), which closes the socket that systemd passed; systemd passes it to the next start`;
        this.#failure.abort(new CommandError('failed', { message }));
      }
      this.#replace(`worker ${worker.process.pid ?? '?'} exited (${how})`);
    } else
      reject(failure ?? new CommandError('failed', { message: `a worker exited while starting (${how})` }));
  }

  /**
   * Workers with port 0 have the same port only while one of them listens. After that, they need its number.
   */
  #keepPort(): void {
    if (this.#listening > 0 || this.#port === undefined) return;
    this.#settings = { ...this.#settings, port: { ...this.#settings.port, value: this.#port } };
  }

  #replace(why: string): void {
    if (this.#stopping || this.#failure.signal.aborted) return;
    if (this.#earlyExits >= maxEarlyExits) {
      const message = `${maxEarlyExits} workers in a row exited in the first second; the last: ${why}`;
      this.#failure.abort(new CommandError('failed', { message }));
      return;
    }
    this.#say(`${why}; replacing it`, 'warn');
    this.#start({ warn: false }).catch((error: unknown) => {
      this.#replace(error instanceof Error ? error.message : String(error));
    });
  }
}

/** After this, the last known numbers of a worker are used: a sum must never decrease. */
const timeoutMs = 1000;

const restarts = 'shelflist_worker_restarts_total';

/** The metrics of all workers, including those that have exited. */
class Tally {
  /** The last known numbers of each running worker. */
  readonly #last = new Map<Worker, Numbers | undefined>();
  #ofEnded: Counts = addCounts(noCounts, { counters: { [restarts]: 0 }, histograms: {} });
  readonly #rounds = new Map<number, { missing: Set<Worker>; done: () => void }>();
  #round = 0;

  /** Adds a worker, and answers its requests. */
  follow(worker: Worker): void {
    this.#last.set(worker, undefined);
    worker.on('message', (message: unknown) => {
      // A message may arrive after the exit, when the worker's counts have been added already.
      if (!isReport(message) || !this.#last.has(worker)) return;
      if (message.report === 'told') {
        this.#last.set(worker, message.numbers);
        this.#settle(message.round, worker);
      }
      if (message.report === 'asked') void this.#show(worker, message.ask);
    });
    worker.once('exit', () => {
      this.#ofEnded = addCounts(this.#ofEnded, this.#last.get(worker)?.counts ?? noCounts);
      this.#ofEnded = addCounts(this.#ofEnded, { counters: { [restarts]: 1 }, histograms: {} });
      this.#last.delete(worker);
      for (const round of this.#rounds.keys()) this.#settle(round, worker);
    });
  }

  async #show(worker: Worker, ask: number): Promise<void> {
    await this.#askAll();
    let counts = this.#ofEnded;
    const states = new Map<string, ProcessState>();
    for (const [{ id }, numbers] of this.#last) {
      if (numbers === undefined) continue;
      counts = addCounts(counts, numbers.counts);
      states.set(`worker="${id}"`, numbers.state);
    }
    sendOrder(worker, { order: 'show', ask, text: formatMetrics(counts, states) });
  }

  /** Resolves when all workers have answered, or after the timeout. */
  async #askAll(): Promise<void> {
    const round = ++this.#round;
    const missing = new Set(this.#last.keys());
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#rounds.set(round, { missing, done });
      for (const worker of missing) sendOrder(worker, { order: 'tell', round });
    });
    this.#rounds.delete(round);
  }

  #settle(round: number, worker: Worker): void {
    const waiting = this.#rounds.get(round);
    waiting?.missing.delete(worker);
    if (waiting?.missing.size === 0) waiting.done();
  }
}
