/** Sets of numbers that are joined step by step (union-find). */
export class DisjointSets {
  /** A smaller number of the same set; a number without an entry is the smallest. */
  readonly #smaller = new Map<number, number>();

  join(a: number, b: number): void {
    const [first, second] = [this.smallest(a), this.smallest(b)];
    if (first !== second) this.#smaller.set(Math.max(first, second), Math.min(first, second));
  }

  /** The sets of at least two numbers. Numbers and sets are in ascending order. */
  toArrays(): number[][] {
    const sets = new Map<number, number[]>();
    for (const number of [...this.#smaller.keys()].sort((a, b) => a - b)) {
      const smallest = this.smallest(number);
      const set = sets.get(smallest);
      if (set === undefined) sets.set(smallest, [smallest, number]);
      else set.push(number);
    }
    return [...sets.values()].sort(([a = 0], [b = 0]) => a - b);
  }

  /** The smallest number of the set of a number. */
  smallest(number: number): number {
    let current = number;
    for (;;) {
      const smaller = this.#smaller.get(current);
      if (smaller === undefined) return current;
      // Halves the path for the next search.
      const next = this.#smaller.get(smaller);
      if (next !== undefined) this.#smaller.set(current, next);
      current = smaller;
    }
  }
}
