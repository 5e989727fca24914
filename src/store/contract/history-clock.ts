// The clock by which changes age: however the clock of the system jumps, a store forgets no faster than time passes.
export const dayMs = 86_400_000;
/** How often a store moves its clock on when nobody writes. */
export const hourMs = 3_600_000;
/** What two readings of the system's clock may differ by from the time between them: more is a jump. */
const maxDriftMs = 60_000;
/** The latest time that a `Date` can be. */
export const latestMs = 8_640_000_000_000_000;

/**
 * The clock of a store. Its time is stored with the changes, and each process moves it on by the time that it has seen pass. So
 * it never runs back, nor faster than time passes, and it does not run ahead of the system's clock.
 *
 * It falls behind while no process runs. A process whose system clock has not jumped for an hour makes up for that: the clock
 * skips the time until an hour before the oldest change is forgotten. So no hour forgets more than the changes of an hour.
 */
export class HistoryClock {
  /** In milliseconds since 1970, when it was last read. */
  #time: number;
  #readAt = performance.now();
  #offset = Date.now() - this.#readAt;
  #steadySince = this.#readAt;

  /** @param time That of a new store. */
  constructor(time = 0) {
    this.#time = time;
  }

  /**
   * Reads the clock, and moves it on.
   *
   * @param stored The time in the store: another process may have moved it on.
   * @param nextLoss When the oldest change is forgotten.
   */
  read(stored = 0, nextLoss = 0): number {
    const [system, passed] = [Date.now(), performance.now()];
    const offset = system - passed;
    if (Math.abs(offset - this.#offset) > maxDriftMs) this.#steadySince = passed;
    const walked = this.#time + passed - this.#readAt;
    const skipped = passed - this.#steadySince >= hourMs ? nextLoss - hourMs : 0;
    this.#offset = offset;
    this.#readAt = passed;
    this.#time = Math.max(this.#time, stored, Math.min(system, Math.max(walked, skipped)));
    return Math.floor(this.#time);
  }

  /** The time of a change that is made now. It is never so early that the change would be forgotten before its time. */
  stamp(): Date {
    return new Date(Math.max(Date.now(), this.read()));
  }
}

/** What is wrong with the clock of the system, to judge by the time of the latest change; `undefined` if nothing is. */
export function describeClock(latest: number): string | undefined {
  if (!(latest > Date.now() + hourMs)) return undefined;
  const [change, now] = [latest, Date.now()].map((ms) => new Date(ms).toISOString().slice(0, 16));
  return `its latest change has the time ${change}Z, and it is ${now}Z now: the clock of this machine is wrong, or was; see \`date\``;
}

/**
 * The time of the oldest change whose earlier state may be shown, in milliseconds since 1970. Stores delete it later.
 *
 * @param time The time of the history's clock.
 */
export function keptSince(time: number, historyDays: number): number {
  return historyDays === 0 ? latestMs : time - historyDays * dayMs;
}
