import { forEachYielding, type PrioritySignal } from './scheduler.ts';

/** The number of texts that are sorted without a pause. */
const runLength = 500;

/**
 * The order of texts by UTF-16 code units, as their indexes: a merge sort in pieces that leave the event loop to other work.
 *
 * @throws The signal's reason when it is aborted.
 */
export async function sortInSlices(texts: readonly string[], signal: PrioritySignal): Promise<Uint32Array> {
  let order = Uint32Array.from(texts.keys());
  const textAt = (place: number) => texts[order[place] ?? 0] ?? '';
  const sortRun = (start: number) => {
    const run = order.subarray(start, start + runLength);
    run.set([...run].sort((a, b) => compare(texts[a] ?? '', texts[b] ?? '')));
  };
  await forEachYielding(steps(texts.length, runLength), sortRun, signal);
  for (let length = runLength; length < texts.length; length *= 2) {
    const merged = new Uint32Array(texts.length);
    let [left, right, leftEnd, rightEnd] = [0, 0, 0, 0];
    const merge = (to: number) => {
      if (to === rightEnd) {
        [left, leftEnd] = [to, Math.min(to + length, texts.length)];
        [right, rightEnd] = [leftEnd, Math.min(leftEnd + length, texts.length)];
      }
      const isLeft = left < leftEnd && (right >= rightEnd || compare(textAt(left), textAt(right)) <= 0);
      merged[to] = order[isLeft ? left++ : right++] ?? 0;
    };
    await forEachYielding(merged.keys(), merge, signal);
    order = merged;
  }
  return order;
}

function* steps(end: number, step: number): Generator<number, void, undefined> {
  for (let start = 0; start < end; start += step) yield start;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
