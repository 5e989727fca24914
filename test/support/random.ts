/** Random integers from 0 to below a limit. */
export type Random = (limit: number) => number;

/** A deterministic generator. */
export function createRandom(seed: number): Random {
  const next = createFractions(seed);
  return (limit) => Math.floor(next() * limit);
}

/** A deterministic generator of numbers from 0 to below 1 (mulberry32): a run with the same seed makes the same ones. */
export function createFractions(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The seed of a test that prints it: that of TEST_SEED, else another one in each run. */
export function seedOfRun(): number {
  return Number(process.env.TEST_SEED || Math.floor(Math.random() * 2 ** 31));
}
