import process from 'node:process';

/**
 * How much a test does: `short` in `npm test` and the gate, `long` in `npm run test:long`, `soak` in `npm run test:soak`.
 * Durations are asserted in the long forms only, which run one at a time on an idle machine.
 */
type Size = 'short' | 'long' | 'soak';

/** Selects the amount for this run. `soak` defaults to `long`. */
export function sized<T>({ short, long, soak = long }: { short: T; long: T; soak?: T }): T {
  const size = (process.env.TEST_SIZE ?? 'short') as Size;
  return { short, long, soak }[size];
}

/** The option `skip` of tests that run in the long form only. CONTRIBUTING.md lists them. */
export const onlyLong = sized<string | false>({
  short: 'runs in the long form: npm run test:all',
  long: false,
});

/**
 * Makes a check do nothing once a time is over, in milliseconds. The time limit of fast-check leaves a check while it runs: the
 * test then ends, and takes away what the check still uses.
 */
export function withinTime<Args extends readonly unknown[]>(
  limitMs: number,
  check: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  const end = performance.now() + limitMs;
  return async (...args) => {
    if (performance.now() < end) await check(...args);
  };
}

/** The places in a text: all in the long form, otherwise about a hundred, including the first and the last. */
export function placesOf(length: number): number[] {
  const step = sized({ short: Math.max(1, Math.floor(length / 100)), long: 1 });
  const count = Math.ceil(length / step);
  return Array.from({ length: count + 1 }, (_, i) => Math.min(i * step, length));
}
