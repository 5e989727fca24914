// Runs code as a function of a seed: the clocks, the timers and the randomness of the process are simulated.
import assert from 'node:assert/strict';
import nodeCrypto, { createHash, createHmac, KeyObject, type webcrypto } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import nodeTimers from 'node:timers/promises';
import { createFractions, type Random } from '../support/random.ts';

/** The ticks of the clock in a millisecond. Sums of such times are exact, so a run does not depend on when it began. */
const ticksPerMs = 1024;
/**
 * Each world of a process begins this much after the previous one, in milliseconds, so that what the process remembers is
 * outdated.
 */
const worldMs = 2 ** 24;
/** The time of the system when a world begins: half past eight, on a day of the week. */
const openingTime = Date.UTC(2026, 2, 2, 8, 30);
/** The timers that a run leaves behind must end within this time, in milliseconds. */
const maxAftermathMs = 600_000;
/** How long a failed run goes on, in milliseconds. */
const abandonedMs = 100;
/** How many of the latest events a failure shows. */
const shownEvents = 25;
const maxShownLength = 160;
const maxTimeoutMs = 2 ** 31 - 1;

const { setImmediate: realImmediate, clearTimeout: realClear, Date: RealDate } = globalThis;
let worlds = 0;

/** Work that is due later. */
interface Task {
  readonly run: () => void;
  /** When it is due, in ticks. Tasks that are due at the same time keep their order. */
  readonly at: number;
  isCancelled: boolean;
}

/** A simulated timer, as `setTimeout`, `setInterval` and `setImmediate` return it. */
class SimulatedTimer {
  task: Task | undefined;
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}

/** A simulated process: time passes only when nothing can happen now, and when a clock is read. */
export class World {
  readonly seed: number;
  /** A number from 0 to below 1. */
  readonly fraction: () => number;
  readonly random: Random;
  readonly #begin: number;
  readonly #maxReadingTicks: number;
  readonly #hash = createHash('sha256');
  readonly #events: string[] = [];
  #ticks = 0;
  #jumpMs = 0;
  #immediates: Task[] = [];
  /** In the order of their times, the next one last. */
  readonly #timers: Task[] = [];
  #outside = 0;
  /** How often the system clock was set. */
  jumps = 0;

  constructor(seed: number) {
    this.seed = seed;
    this.fraction = createFractions(seed);
    this.random = (limit) => Math.floor(this.fraction() * limit);
    this.#begin = ++worlds * worldMs;
    this.#maxReadingTicks = 1 + this.random(64); // The speed of the machine.
  }

  /** The milliseconds since the world began. */
  get ms(): number {
    return this.#ticks / ticksPerMs;
  }

  /** The time of the system clock, in milliseconds since 1970. */
  get date(): number {
    return Math.floor(openingTime + this.#jumpMs + this.ms);
  }

  /** Sets the system clock, without the passing of time. */
  jump(ms: number): void {
    this.#jumpMs += ms;
    this.jumps++;
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.random(items.length)];
    assert.ok(item !== undefined);
    return item;
  }

  delay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#plan(resolve, ms);
    });
  }

  /** Waits for real work, such as the loading of modules. Simulated time stands still meanwhile. */
  async outside<T>(work: Promise<T>): Promise<T> {
    this.#outside++;
    try {
      return await work;
    } finally {
      this.#outside--;
    }
  }

  /** Records an event. Equal runs have equal events. */
  note(event: string): void {
    const text = `${this.ms.toFixed(3)} ${event}`;
    this.#hash.update(`${text}\n`);
    this.#events.push(text);
    if (this.#events.length > 4 * shownEvents) this.#events.splice(0, 3 * shownEvents);
  }

  /** Identifies everything that happened. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  latestEvents(): string {
    return this.#events
      .slice(-shownEvents)
      .map((event) => event.slice(0, maxShownLength))
      .join('\n');
  }

  /**
   * Runs `main`, and everything that it schedules, in this world.
   *
   * @param maxMs The end of the world: `main` must have ended before.
   */
  async run<T>(main: () => Promise<T>, maxMs: number): Promise<T> {
    const restore = this.#takeOver();
    try {
      const state: { ended?: { readonly value: T } | { readonly error: Error } } = {};
      main().then(
        (value) => (state.ended = { value }),
        (error: unknown) => (state.ended = { error: error as Error }),
      );
      for (let last = maxMs; ;) {
        // All promises and `nextTick` callbacks run before it.
        await new Promise((resolve) => realImmediate(resolve));
        const { ended } = state;
        if (ended !== undefined && 'error' in ended) throw ended.error;
        if (this.#outside > 0) continue;
        const task = this.#next();
        if (ended !== undefined) last = Math.min(last, this.ms + maxAftermathMs);
        if (task === undefined && ended !== undefined) return ended.value;
        if (task === undefined) throw new Error('the run hangs: nothing is left that could happen');
        if (this.ms > last)
          throw new Error(
            ended === undefined ? `the run has not ended after ${maxMs} ms` : 'a timer is left after the end',
          );
        task.run();
      }
    } catch (error) {
      await this.#abandon();
      throw error;
    } finally {
      restore();
    }
  }

  /** Waits until the parts of the code that all worlds share are idle. */
  async #abandon(): Promise<void> {
    for (const end = this.ms + abandonedMs; this.ms < end;) {
      const task = this.#next();
      if (task === undefined) return;
      try {
        task.run();
      } catch {
        // The first failure counts.
      }
      await new Promise((resolve) => realImmediate(resolve));
    }
  }

  #next(): Task | undefined {
    for (let task = this.#immediates.shift(); task !== undefined; task = this.#immediates.shift())
      if (!task.isCancelled) return task;
    for (let task = this.#timers.pop(); task !== undefined; task = this.#timers.pop()) {
      if (task.isCancelled) continue;
      this.#ticks = Math.max(this.#ticks, task.at);
      return task;
    }
    return undefined;
  }

  #plan(run: () => void, ms: number): Task {
    const task = { run, at: this.#ticks + Math.max(1, Math.round(ms * ticksPerMs)), isCancelled: false };
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timers[middle]?.at ?? 0) > task.at) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, task);
    return task;
  }

  /** Reads the monotonic clock, which takes some simulated time. */
  #read(): number {
    this.#ticks += 1 + this.random(this.#maxReadingTicks);
    return this.#begin + this.ms;
  }

  #bytes<Bytes extends ArrayBufferView>(target: Bytes): Bytes {
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.random(256);
    return target;
  }

  /** Replaces what differs between runs; returns the function that restores it. */
  #takeOver(): () => void {
    const cancel = (timer: unknown) => {
      if (!(timer instanceof SimulatedTimer)) realClear(timer as NodeJS.Timeout);
      else if (timer.task !== undefined) timer.task.isCancelled = true;
    };
    const delayOf = (ms: unknown) => (Number(ms) >= 1 && Number(ms) <= maxTimeoutMs ? Number(ms) : 1);
    const setTimer = (run: () => void, ms?: number) => {
      const timer = new SimulatedTimer();
      timer.task = this.#plan(run, delayOf(ms));
      return timer;
    };
    const repeat = (run: () => void, ms?: number) => {
      const timer = new SimulatedTimer();
      const plan = () => {
        timer.task = this.#plan(() => {
          plan();
          run();
        }, delayOf(ms));
      };
      plan();
      return timer;
    };
    const setSoon = (run: () => void) => {
      const timer = new SimulatedTimer();
      timer.task = { run, at: 0, isCancelled: false };
      this.#immediates.push(timer.task);
      return timer;
    };
    const waiting =
      (set: (run: () => void) => SimulatedTimer) =>
      (value: unknown, { signal }: { readonly signal?: AbortSignal } = {}) =>
        new Promise((resolve, reject) => {
          const fail = () => {
            cancel(timer);
            reject(new DOMException('The operation was aborted', 'AbortError'));
          };
          const timer = set(() => {
            signal?.removeEventListener('abort', fail);
            resolve(value);
          });
          if (signal?.aborted === true) fail();
          else signal?.addEventListener('abort', fail, { once: true });
        });
    const uuid = () => {
      const hex = Buffer.from(this.#bytes(new Uint8Array(16))).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
    };
    const restores = [
      replace(globalThis, {
        setTimeout: (run: (...args: readonly unknown[]) => void, ms?: number, ...args: readonly unknown[]) =>
          setTimer(() => {
            run(...args);
          }, ms),
        setInterval: repeat,
        setImmediate: setSoon,
        clearTimeout: cancel,
        clearInterval: cancel,
        clearImmediate: cancel,
        Date: new Proxy(RealDate, {
          construct: (target, args, newTarget) =>
            Reflect.construct(target, args.length === 0 ? [this.date] : args, newTarget) as Date,
          get: (target, name, receiver) =>
            name === 'now' ? () => this.date : (Reflect.get(target, name, receiver) as unknown),
        }),
      }),
      replace(nodeTimers, {
        setTimeout: (ms: number, value: unknown, options: object) =>
          waiting((run) => setTimer(run, ms))(value, options),
        setImmediate: waiting(setSoon),
      }),
      replace(performance, { now: () => this.#read() }),
      replace(Math, { random: this.fraction }),
      replace(nodeCrypto, {
        randomUUID: uuid,
        randomBytes: (length: number) => this.#bytes(Buffer.alloc(length)),
      }),
      replace(globalThis.crypto, {
        randomUUID: uuid,
        getRandomValues: <Bytes extends ArrayBufferView>(target: Bytes) => this.#bytes(target),
      }),
      // The functions of the platform run in threads, whose answers come in any order.
      replace(globalThis.crypto.subtle, { sign, verify }),
      replace(AbortSignal, {
        timeout: (ms: number) => {
          const late = new AbortController();
          setTimer(() => {
            late.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
          }, ms);
          return late.signal;
        },
      }),
    ];
    syncBuiltinESMExports();
    return () => {
      for (const restore of restores) restore();
      syncBuiltinESMExports();
    };
  }
}

/** Replaces members of an object; returns the function that restores them. */
function replace(target: object, members: Readonly<Record<string, unknown>>): () => void {
  const restores = Object.entries(members).map(([name, value]) => {
    const own = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true });
    return () => {
      if (own === undefined) Reflect.deleteProperty(target, name);
      else Object.defineProperty(target, name, own);
    };
  });
  return () => {
    for (const restore of restores) restore();
  };
}

type Bytes = ArrayBuffer | ArrayBufferView;

// eslint-disable-next-line @typescript-eslint/require-await -- As `SubtleCrypto` has it.
async function sign(_: unknown, key: webcrypto.CryptoKey, data: Bytes): Promise<ArrayBuffer> {
  const { hash } = key.algorithm as webcrypto.HmacKeyAlgorithm;
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
  const digest = createHmac(hash.name.replace('-', ''), KeyObject.from(key)).update(bytes).digest();
  return Uint8Array.from(digest).buffer;
}

async function verify(_: unknown, key: webcrypto.CryptoKey, signature: Bytes, data: Bytes): Promise<boolean> {
  const given = ArrayBuffer.isView(signature)
    ? Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength)
    : Buffer.from(signature);
  return given.equals(new Uint8Array(await sign(_, key, data)));
}
