/** The maximum number of items: an item and its hash share the 53 bits of an integer. */
export const maxItems = 2 ** 21;

const partitionBits = 10;

/**
 * Groups items by hashes of 32 bits. Takes 8 to 16 bytes a hash, and works in short pieces: a piece sorts one of 1024
 * partitions.
 */
export class HashGroups {
  readonly #partitions = Array.from({ length: 2 ** partitionBits }, () => ({
    values: new Float64Array(16),
    length: 0,
  }));

  /** Adds a hash of an item. An item may have several. */
  add(hash: number, item: number): void {
    const partition = this.#partitions[hash >>> (32 - partitionBits)];
    if (partition === undefined) return;
    if (partition.length === partition.values.length) {
      const grown = new Float64Array(2 * partition.values.length);
      grown.set(partition.values);
      partition.values = grown;
    }
    partition.values[partition.length++] = hash * maxItems + item;
  }

  /**
   * The items that share a hash, in ascending order, each once. Other items may share it by accident. Yields all groups of a
   * partition at once, and releases the partition.
   */
  *groups(): Generator<number[][]> {
    for (const partition of this.#partitions) {
      const values = partition.values.subarray(0, partition.length).sort();
      yield [...groupsOf(values)];
      partition.values = new Float64Array(0);
    }
  }
}

function* groupsOf(values: Float64Array): Generator<number[]> {
  let start = 0;
  while (start < values.length) {
    const hash = Math.floor((values[start] ?? 0) / maxItems);
    let end = start + 1;
    while (end < values.length && Math.floor((values[end] ?? 0) / maxItems) === hash) end++;
    if (end - start > 1) {
      const items = new Set<number>();
      for (let i = start; i < end; i++) items.add((values[i] ?? 0) % maxItems);
      if (items.size > 1) yield [...items];
    }
    start = end;
  }
}
