import { Session, type Profiler } from 'node:inspector';

/**
 * Tells whether an input has reached something new: a block of `src`, or a block more often than before by a power of two.
 * Counts come from V8 itself, for the thread that this runs in, so the modules need no instrumentation.
 */
export class Coverage {
  readonly #session = new Session();
  readonly #seen = new Set<string>();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** The number of different blocks and counts so far. */
  get size(): number {
    return this.#seen.size;
  }

  /** Takes what was reached since the last call; returns how much of it is new. */
  take(): number {
    const before = this.#seen.size;
    for (const { url, functions } of this.#counts())
      if (url.includes('/src/'))
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges)
            if (count > 0)
              this.#seen.add(`${url}:${startOffset}-${endOffset} ${Math.floor(Math.log2(count))}`);
    return this.#seen.size - before;
  }

  #counts(): readonly Profiler.ScriptCoverage[] {
    let counts: readonly Profiler.ScriptCoverage[] = [];
    // In one thread, the inspector answers at once.
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error;
      counts = result;
    });
    return counts;
  }
}
