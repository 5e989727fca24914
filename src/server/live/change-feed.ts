import { setTimeout as sleep } from 'node:timers/promises';
import { ShelflistError } from '../../catalogue/errors.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { ChangeEvents } from '../../store/contract/events.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import { checkPositions, EventPoller } from './event-poller.ts';
import { RecentEvents, type Announcement } from './recent-events.ts';

interface ChangeFeedOptions {
  /** How often the store is asked for changes while there are readers, in milliseconds. Default 100. */
  readonly pollMs?: number;
  /** The maximum number of readers. Default 1000. */
  readonly maxReaders?: number;
  /** The maximum number of them that have no token, so that these cannot crowd out the others. Default 500. */
  readonly maxAnonymousReaders?: number;
  /** The maximum number of changes kept for readers. Default 10,000. */
  readonly maxRecent?: number;
}

/** The pause after a failure of the store, in milliseconds. */
const retryMs = 500;
/** The maximum number of readers that read older changes from the store at once. */
const maxCatchingUp = 2;

/**
 * Follows the changes of a store, by any process, for all readers of this process: while there are readers, one poller asks
 * the store, and every reader gets the same announcements.
 */
export class ChangeFeed {
  readonly recent: RecentEvents;
  readonly #store: CompleteStore;
  readonly #poller: EventPoller;
  readonly #maxReaders: number;
  readonly #maxAnonymousReaders: number;
  readonly #followers = new Set<Follower>();
  #anonymousCount = 0;
  readonly #catchingUp = new Semaphore(maxCatchingUp);
  #isClosed = false;

  constructor(
    store: CompleteStore,
    { pollMs, maxReaders = 1000, maxAnonymousReaders = 500, maxRecent = 10_000 }: ChangeFeedOptions = {},
  ) {
    this.#store = store;
    this.#maxReaders = maxReaders;
    this.#maxAnonymousReaders = maxAnonymousReaders;
    this.recent = new RecentEvents(maxRecent);
    this.#poller = new EventPoller(store, this.#announce.bind(this), { pollMs });
  }

  /** The current position, once there is a reader. */
  get position(): string {
    return this.#poller.position ?? '';
  }

  /**
   * Adds a reader.
   *
   * @param after Where it continues; by default it begins now.
   * @param signal Ends it.
   * @param options `isAnonymous`: it has no token. Default false.
   * @throws {ShelflistError} `unavailable`: the store does not answer, or there are too many readers.
   */
  async follow(
    after: string | undefined,
    signal: AbortSignal,
    { isAnonymous = false }: { isAnonymous?: boolean } = {},
  ): Promise<Follower> {
    if (this.#isClosed) throw unavailable('the service is stopping');
    if (this.#followers.size >= this.#maxReaders)
      throw unavailable(`${this.#maxReaders} clients read the changes already, the most of one process`);
    if (isAnonymous && this.#anonymousCount >= this.#maxAnonymousReaders)
      throw unavailable(
        `${this.#maxAnonymousReaders} clients without a token read the changes already, the most of one process`,
      );
    const follower = new Follower(this, () => {
      if (isAnonymous) this.#anonymousCount--;
      this.#leave(follower);
    });
    this.#followers.add(follower);
    if (isAnonymous) this.#anonymousCount++;
    follower.endWith(signal);
    try {
      await follower.begin(after);
    } catch (error) {
      follower.close();
      throw error;
    }
    if (this.#followers.size > 0) this.#poller.start(); // It may be closed already.
    return follower;
  }

  /** Resolves when every change acknowledged before the call has been announced. */
  refresh(): Promise<void> {
    return this.#poller.refresh();
  }

  async readOlder(since: string, signal: AbortSignal): Promise<ChangeEvents> {
    return checkPositions(await this.#catchingUp.run(() => this.#store.events({ since }), signal));
  }

  /** Ends all readers, and accepts no others. */
  close(): void {
    this.#isClosed = true;
    for (const follower of this.#followers) follower.close();
  }

  #announce({ events, position }: ChangeEvents): void {
    this.recent.add(events ?? [{ position, isReset: true }]);
    if (events?.length !== 0) for (const follower of this.#followers) follower.wake();
  }

  /** Removes a reader. After the last one the feed no longer follows the store, so the next one begins anew. */
  #leave(follower: Follower): void {
    this.#followers.delete(follower);
    if (this.#followers.size > 0) return;
    this.#poller.reset();
    this.recent.clear();
  }
}

function unavailable(message: string): ShelflistError {
  return new ShelflistError('unavailable', { message });
}

/** A reader of a feed. It reads at its own pace: the feed keeps only its position. */
export class Follower {
  readonly #feed: ChangeFeed;
  readonly #end = new AbortController();
  readonly #leave: () => void;
  /** The number of its next announcement; `undefined` while it reads older changes from the store. */
  #next: number | undefined;
  /** The position read so far, and the one up to which its reader has received all events. */
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

  /** The position up to which it has received all events. */
  get position(): string {
    return this.#next === this.#feed.recent.end ? this.#feed.position : this.#given;
  }

  /** Finds where the reader continues. @throws {ShelflistError} `unavailable` */
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

  /** The announcements after its position, until it is closed. */
  async *announcements(): AsyncGenerator<readonly Announcement[], void, undefined> {
    for (let some = this.#first; !this.#end.signal.aborted; some = await this.#more()) {
      this.#given = this.#position;
      if (some.length > 0) yield some;
    }
  }

  /** Announces that the feed has new events. */
  wake(): void {
    this.#wake?.();
  }

  close(): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    this.wake();
    this.#leave();
  }

  /** The next announcements; an empty array asks the caller to repeat the call. */
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

  /** As {@link Follower.#readOlder}; waits after a failure of the store. */
  async #readOlderLater(): Promise<readonly Announcement[]> {
    try {
      return await this.#readOlder();
    } catch {
      await sleep(retryMs, undefined, { signal: this.#end.signal }).catch(() => undefined);
      return [];
    }
  }
}
