import process from 'node:process';

/** How much a test of faults does: `short` in every run, `long` with `npm run test:faults`, `soak` with `npm run test:soak`. */
type Size = 'short' | 'long' | 'soak';

/** Of several amounts the one that this run is for. `soak` is as `long` where it is not given. */
export function sized<T>({ short, long, soak = long }: { short: T; long: T; soak?: T }): T {
  const size = (process.env.TEST_SIZE ?? 'short') as Size;
  return { short, long, soak }[size];
}
