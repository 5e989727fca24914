import { changedBetween } from '../recent.ts';
import type { Changes } from '../store.ts';
import type { Version } from './version.ts';

/** So long one believes that each write has said which books it changed. */
const believedMs = 60_000;

/**
 * What has changed since a version, as the writes have noted it. A service that was killed between a write and its
 * version has noted nothing, and the next write knows nothing of that one. So from time to time it may be any book: what
 * nobody has named is seen a minute later at the latest, if anything is written then.
 */
export class NotedChanges {
  readonly #version: Version;
  #believedSince = performance.now();

  constructor(version: Version) {
    this.#version = version;
  }

  async since(since: string): Promise<Changes> {
    const { version, recent } = await this.#version.readState();
    const now = performance.now();
    const isBelieved = since === version || now - this.#believedSince < believedMs;
    const ids = isBelieved ? changedBetween(recent, since, version) : undefined;
    if (ids === undefined) this.#believedSince = now;
    return { version, ids };
  }
}
