/**
 * A map of what was set last, in two generations: when the young one is full, the old one is forgotten as a whole. (A `Map`
 * that loses its first entry each time walks past the places of all that it has lost before: the more it holds, the slower.)
 */
export class Latest<Key, Value> {
  readonly #size: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** @param size So many are remembered in any case, and twice as many at the most. */
  constructor(size: number) {
    this.#size = size;
  }

  get(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#size && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
