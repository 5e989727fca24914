/**
 * A bounded map with two generations: when the young one is full, it replaces the old one, which is discarded. (Deleting
 * the first entry of a `Map` each time would be slow, because it skips the places of all entries deleted before.)
 */
export class GenerationalCache<Key, Value> {
  readonly #size: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** @param size The number of newest entries that are always kept. At most twice as many are. */
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
