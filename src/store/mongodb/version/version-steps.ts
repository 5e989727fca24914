interface Step {
  readonly version: string;
  /** The books changed since the previous step. */
  readonly ids: readonly number[];
}

/** The maximum number of ids remembered. */
const maxIds = 100_000;

/** A bounded log in memory: the latest versions, and the books that each has changed. */
export class VersionSteps {
  #steps: Step[] = [];
  #idCount = 0;

  /** @param ids `undefined`: any book may have changed. */
  add(version: string, ids: readonly number[] | undefined): void {
    if (ids === undefined) this.#clear();
    else if (version === this.#steps.at(-1)?.version) return;
    this.#steps.push({ version, ids: ids ?? [] });
    this.#idCount += ids?.length ?? 0;
    if (this.#idCount > maxIds) this.#dropOldHalf();
  }

  /** The books changed between two versions; `undefined`: any book may have changed. */
  between(since: string, now: string): number[] | undefined {
    const first = this.#steps.findLastIndex(({ version }) => version === since);
    const last = this.#steps.findLastIndex(({ version }) => version === now);
    if (first === -1 || last < first) return undefined;
    return this.#steps.slice(first + 1, last + 1).flatMap(({ ids }) => ids);
  }

  #clear(): void {
    this.#steps = [];
    this.#idCount = 0;
  }

  #dropOldHalf(): void {
    const kept = this.#steps.slice(Math.ceil(this.#steps.length / 2));
    this.#clear();
    for (const step of kept) {
      this.#steps.push(step);
      this.#idCount += step.ids.length;
    }
  }
}
