import { textLength } from '../../../catalogue/book.ts';
import type { Row } from './reading/row.ts';

export interface BatchOptions {
  maxRows: number;
  /** The approximate length of their texts. A longer row is a batch of its own. */
  maxCharacters: number;
  /** The time after its first row at which a batch is yielded even if it is not full, for a user who types rows. */
  maxWaitMs: number;
}

const ended = { done: true, value: undefined } as const;

/** Batches rows in their order, as they arrive. */
export async function* inBatches(
  rows: AsyncIterable<Row>,
  { maxRows, maxCharacters, maxWaitMs }: BatchOptions,
): AsyncGenerator<readonly Row[]> {
  const iterator = rows[Symbol.asyncIterator]();
  let batch: Row[] = [];
  let characters = 0;
  let timer: NodeJS.Timeout | undefined;
  let timeout: Promise<undefined> | undefined;
  const state: { failure?: { error: unknown } } = {};
  const take = () => {
    const taken = batch;
    clearTimeout(timer);
    [batch, characters, timeout] = [[], 0, undefined];
    return taken;
  };
  try {
    for (let next = iterator.next(); ;) {
      const result = await (timeout ? Promise.race([next, timeout]) : next).catch((error: unknown) => {
        state.failure = { error }; // It is thrown after the rows before it.
        return ended;
      });
      if (result === undefined) {
        yield take();
        continue;
      }
      if (result.done === true) break;
      next = iterator.next();
      next.catch(() => undefined); // It is awaited above, after the previous batch.
      const size = sizeOf(result.value);
      if (batch.length > 0 && characters + size > maxCharacters) yield take();
      batch.push(result.value);
      characters += size;
      timeout ??= new Promise((resolve) => {
        timer = setTimeout(resolve, maxWaitMs, undefined);
      });
      if (batch.length >= maxRows) yield take();
    }
    if (batch.length > 0) yield take();
    if (state.failure) throw state.failure.error;
  } finally {
    clearTimeout(timer);
    await iterator.return?.();
  }
}

function sizeOf(row: Row): number {
  return 'reason' in row ? 0 : textLength(row.fields);
}
