import { setImmediate } from 'node:timers/promises';

/** Work in small pieces: whoever runs it may let others have a turn at each `yield`. */
export type Work<Result> = Generator<undefined, Result, undefined>;

/** Others have a turn this often. */
const turnMs = 4;

/** Does the work, over as many turns of the event loop as it takes. */
export async function run<Result>(work: Work<Result>): Promise<Result> {
  for (let turn = performance.now(); ;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - turn < turnMs) continue;
    await setImmediate();
    turn = performance.now();
  }
}
