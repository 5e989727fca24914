// Algorithms that are written once for callers that wait for promises and for callers that block.

/** A computation that hands out values, or promises of them, and goes on with the values. */
export type Steps<Result> = Generator<unknown, Result, unknown>;
export type Maybe<Value> = Value | Promise<Value>;

/** As `await`, within steps: `yield* wait(…)`. */
export function* wait<Value>(value: Maybe<Value>): Steps<Value> {
  return (yield value) as Value;
}

/** Runs steps of which none hands out a promise. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next(step.value);
  return step.value;
}

/** Runs steps, and waits for their promises. */
export async function awaitSteps<Result>(steps: Steps<Result>): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await step.value);
  return step.value;
}
