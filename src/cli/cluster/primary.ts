import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { ServiceSettings } from '../../config.ts';
import { ShelflistError } from '../../errors.ts';
import { isReport, sendOrder, workerVariable } from './messages.ts';
import { Tally } from './tally.ts';

/** A worker that ends sooner than this was not well from the start. */
const healthyMs = 1000;
/** So many of them in a row, and the next would be no better. */
const maxEarlyEnds = 5;
/** A worker answers for 8 s at the most after it was told to stop; one that is here still is stuck. */
const stopDeadlineMs = 9500;

/** Several processes that serve on one listener. The primary itself opens no store and answers no request. */
export class Workers {
  readonly #say: (text: string) => void;
  readonly #count: number;
  readonly #running = new Set<Worker>();
  readonly #failure = new AbortController();
  readonly #tally = new Tally();
  #settings: ServiceSettings;
  #listening = 0;
  #port: number | undefined;
  #earlyEnds = 0;
  #stopping = false;

  /** @param say Tells whoever runs it what becomes of the workers. */
  constructor(settings: ServiceSettings, say: (text: string) => void) {
    if (!cluster.isPrimary) {
      throw new ShelflistError('failed', {
        message: 'this process is a worker of another program already, which can start more: set WORKERS=1',
      });
    }
    this.#say = say;
    this.#settings = settings;
    this.#count = settings.workers.value;
    // With Node's own turns a connection that was being handed to a worker when it died would hang for ever.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  /** Aborted, with the reason, when workers end faster than it makes sense to replace them. */
  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  /**
   * Gives the address once all workers listen there.
   *
   * @throws {ShelflistError} What a worker could not do; those that run already are for `close` to end.
   */
  async listen(): Promise<string> {
    // One prepares the store and takes the port; if it cannot, the others need not try, nor say so again.
    const url = await this.#start({ warn: true });
    if (this.#stopping) return url;
    this.#port = Number(new URL(url).port || 80);
    let left = this.#count - 1;
    const startSome = async (): Promise<void> => {
      while (left-- > 0 && !this.#stopping) await this.#start({ warn: false });
    };
    // More of them at once would be no sooner there, and nobody could stop what is begun.
    await Promise.all(Array.from({ length: availableParallelism() }, startSome));
    return url;
  }

  /** Lets the workers answer what is under way, and waits until they are gone. */
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

  /** Resolves with its address once a new worker listens, and looks after it from then on. */
  #start({ warn }: { warn: boolean }): Promise<string> {
    const worker = cluster.fork({ [workerVariable]: 'true' });
    this.#running.add(worker);
    return new Promise((resolve, reject) => {
      let healthyFrom = performance.now() + healthyMs;
      let listening = false;
      let failure: ShelflistError | undefined;
      const onEnd = (how: string) => {
        if (!this.#running.delete(worker)) return;
        this.#earlyEnds = performance.now() < healthyFrom ? this.#earlyEnds + 1 : 0;
        if (listening) this.#listening--;
        if (listening) this.#replace(`worker ${worker.process.pid ?? '?'} ended (${how})`);
        else
          reject(
            failure ?? new ShelflistError('failed', { message: `a worker ended at its start (${how})` }),
          );
      };
      worker.on('message', (message: unknown) => {
        if (!isReport(message)) return;
        if (message.report === 'ready') {
          this.#keepPort();
          const settings = this.#settings;
          sendOrder(worker, this.#stopping ? { order: 'stop' } : { order: 'start', settings, warn });
          return;
        }
        if (message.report === 'failed') {
          failure = new ShelflistError(message.code, { message: message.message });
          return;
        }
        if (message.report === 'login failed') {
          this.#tellOthers(worker, message.address);
          return;
        }
        if (message.report !== 'listening') return;
        listening = true;
        this.#listening++;
        this.#tally.follow(worker);
        healthyFrom = performance.now() + healthyMs;
        resolve(message.url);
      });
      worker.on('error', (error) => {
        if (worker.process.pid === undefined) onEnd(error.message); // The system has started none.
      });
      worker.once('exit', (status: number | null, signal: string | null) => {
        onEnd(signal ?? `status ${status}`);
      });
    });
  }

  /**
   * Workers that ask for port 0 share one port, but only as long as one of them listens: after that the port has
   * to be asked for by its number.
   */
  #keepPort(): void {
    if (this.#listening > 0 || this.#port === undefined) return;
    this.#settings = { ...this.#settings, port: { ...this.#settings.port, value: this.#port } };
  }

  /**
   * A login that failed at one worker counts at all of them. One that takes the place of another begins with none: nobody
   * can end a worker from outside.
   */
  #tellOthers(one: Worker, address: string): void {
    for (const worker of this.#running) if (worker !== one) sendOrder(worker, { order: 'count', address });
  }

  #replace(why: string): void {
    if (this.#stopping || this.#failure.signal.aborted) return;
    if (this.#earlyEnds >= maxEarlyEnds) {
      const message = `${maxEarlyEnds} workers in a row ended within a second of their start; the last: ${why}`;
      this.#failure.abort(new ShelflistError('failed', { message }));
      return;
    }
    this.#say(`${why}; another takes its place`);
    this.#start({ warn: false }).catch((error: unknown) => {
      this.#replace(error instanceof Error ? error.message : String(error));
    });
  }
}
