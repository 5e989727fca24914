/**
 * A map of what was set last, in two generations: when the young one is full, the old one is forgotten as a whole. (A `Map`
 * that loses its first entry each time walks past the places of all that it has lost before: the more it holds, the slower.)
 */
export class Latest<Value> {
  readonly #size: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** @param size So many are remembered in any case, and twice as many at the most. */
  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#size && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
