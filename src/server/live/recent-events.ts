import type { ChangeEvent } from '../../catalogue/changes.ts';

/** The announcement that the changes before a position cannot be sent. */
interface Reset {
  readonly position: string;
  readonly isReset: true;
}

export type Announcement = ChangeEvent | Reset;

/**
 * The latest announcements, shared by all readers of a process. They are numbered from 0; the oldest are dropped.
 */
export class RecentEvents {
  readonly #max: number;
  #kept: Announcement[] = [];
  #first = 0;
  /** The number that follows each position. */
  readonly #after = new Map<string, number>();
  /** The last answer of {@link from}: readers at the same place share it. */
  #latest:
    { readonly start: number; readonly end: number; readonly events: readonly Announcement[] } | undefined;

  /** @param max The maximum number of announcements; half of them are dropped when there are more. */
  constructor(max: number) {
    this.#max = max;
  }

  /** The number of the next announcement. */
  get end(): number {
    return this.#first + this.#kept.length;
  }

  add(announcements: readonly Announcement[]): void {
    for (const each of announcements) {
      this.#kept.push(each);
      this.#after.set(each.position, this.end);
    }
    if (this.#kept.length > this.#max) this.#drop(this.#kept.length - Math.floor(this.#max / 2));
  }

  /** The announcements from a number on, as one array for all who ask; `undefined` if some of them have been dropped. */
  from(start: number): readonly Announcement[] | undefined {
    if (start < this.#first) return undefined;
    const { end } = this;
    if (this.#latest?.start !== start || this.#latest.end !== end)
      this.#latest = { start, end, events: this.#kept.slice(start - this.#first) };
    return this.#latest.events;
  }

  /** The number of the announcement after a position; `undefined` if it is not among the latest. */
  after(position: string): number | undefined {
    return this.#after.get(position);
  }

  clear(): void {
    this.#drop(this.#kept.length);
  }

  #drop(count: number): void {
    for (const { position } of this.#kept.slice(0, count)) this.#after.delete(position);
    this.#kept = this.#kept.slice(count);
    this.#first += count;
    this.#latest = undefined;
  }
}
