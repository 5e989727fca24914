/** Random integers from 0 to below a limit. */
export type Random = (limit: number) => number;

/** A deterministic generator (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** The seed of a test that prints it: that of TEST_SEED, else another one in each run. */
export function seedOfRun(): number {
  return Number(process.env.TEST_SEED || Math.floor(Math.random() * 2 ** 31));
}
