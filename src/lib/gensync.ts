// Algorithms that are written once for callers that wait for promises and for callers that block.

/** A computation that hands out values, or promises of them, and goes on with the values. */
export type Gensync<Result> = Generator<unknown, Result, unknown>;
/** A value, or a promise of it: a store that blocks needs no promises. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** As `await`, within steps: `yield* wait(…)`. */
export function* wait<Value>(value: MaybePromise<Value>): Gensync<Value> {
  return (yield value) as Value;
}

/** Computations that do not wait for each other. */
class Together {
  readonly all: readonly Gensync<unknown>[];

  constructor(all: readonly Gensync<unknown>[]) {
    this.all = all;
  }
}

/** As `await Promise.all`, within steps; a caller that blocks runs one after the other. */
export function* all<Results extends readonly unknown[]>(steps: {
  readonly [Index in keyof Results]: Gensync<Results[Index]>;
}): Gensync<Results> {
  return (yield new Together(steps)) as Results;
}

/** Runs steps of which none hands out a promise. */
export function runSync<Result>(steps: Gensync<Result>): Result {
  let step = steps.next();
  while (step.done !== true) {
    const { value } = step;
    step = steps.next(value instanceof Together ? value.all.map(runSync) : value);
  }
  return step.value;
}

/** Runs steps, and waits for their promises. Of steps that fail together, the others end before. */
export async function runAsync<Result>(steps: Gensync<Result>): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    const { value } = step;
    step = steps.next(value instanceof Together ? await settleAll(value.all.map(runAsync)) : await value);
  }
  return step.value;
}

/** The values of promises. @throws The first failure, once all have ended. */
async function settleAll(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
