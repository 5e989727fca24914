import { setTimeout } from 'node:timers/promises';
import type { ChangeFeed } from './change-feed.ts';
import type { Announcement } from './recent-events.ts';

/** The pause after a failure of the store, in milliseconds. */
const retryMs = 500;

/** A reader of a feed. It sets the pace: nothing is kept for it but its place. */
export class Follower {
  readonly #feed: ChangeFeed;
  readonly #end = new AbortController();
  readonly #leave: () => void;
  /** The number of its next announcement; `undefined` while it reads older changes from the store. */
  #next: number | undefined;
  /** Up to where it has read, and up to where its reader has been given everything. */
  #position = '';
  #given = '';
  #first: readonly Announcement[] = [];
  #wake: (() => void) | undefined;

  /** @param leave Called once, at its end. */
  constructor(feed: ChangeFeed, leave: () => void) {
    this.#feed = feed;
    this.#leave = leave;
  }

  /** Closes it when a signal is aborted. */
  endWith(signal: AbortSignal): void {
    const close = () => {
      this.close();
    };
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { signal: this.#end.signal });
  }

  /** The position up to which it has been given everything. */
  get position(): string {
    return this.#next === this.#feed.recent.end ? this.#feed.position : this.#given;
  }

  /** Finds its place. @throws {ShelflistError} `unavailable` */
  async begin(after: string | undefined): Promise<void> {
    await this.#feed.refresh();
    const { recent, position } = this.#feed;
    this.#position = this.#given = after ?? position;
    if (after === undefined || after === position) this.#next = recent.end;
    else this.#next = recent.after(after);
    if (this.#next !== undefined) return;
    this.#first = await this.#readOlder();
    // A position that the store does not know is not sent back: it may be any text.
    if (this.#first.some((each) => 'isReset' in each)) this.#given = '';
  }

  /** What is announced from its place on, until it is closed. */
  async *announcements(): AsyncGenerator<readonly Announcement[], void, undefined> {
    for (let some = this.#first; !this.#end.signal.aborted; some = await this.#more()) {
      this.#given = this.#position;
      if (some.length > 0) yield some;
    }
  }

  /** Tells it that the feed has something new. */
  wake(): void {
    this.#wake?.();
  }

  close(): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    this.wake();
    this.#leave();
  }

  /** The next announcements; empty if it has to ask again. */
  async #more(): Promise<readonly Announcement[]> {
    if (this.#next === undefined) return this.#readOlderLater();
    const { recent } = this.#feed;
    const some = recent.from(this.#next);
    if (some === undefined) {
      this.#next = undefined; // It was too slow.
      return [];
    }
    if (some.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
      return [];
    }
    this.#next += some.length;
    this.#position = some.at(-1)?.position ?? this.#position;
    return some;
  }

  /**
   * Reads the next older changes. Without any, it has everything that the feed has announced before this call, and nothing
   * that the feed announces later.
   */
  async #readOlder(): Promise<readonly Announcement[]> {
    await this.#feed.refresh();
    const { end } = this.#feed.recent;
    const { events, position, isCurrent } = await this.#feed.readOlder(this.#position, this.#end.signal);
    this.#position = position;
    if (events?.length === 0 && isCurrent) this.#next = end;
    return events ?? [{ position, isReset: true }];
  }

  /** The same; waits if the store fails. */
  async #readOlderLater(): Promise<readonly Announcement[]> {
    try {
      return await this.#readOlder();
    } catch {
      await setTimeout(retryMs, undefined, { signal: this.#end.signal }).catch(() => undefined);
      return [];
    }
  }
}
