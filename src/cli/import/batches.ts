import type { Row } from './row.ts';

export interface BatchOptions {
  maxRows: number;
  /** Of their text together, about. A row that has more comes alone. */
  maxCharacters: number;
  /** A batch that is not full is given so long after its first row came: whoever types wants to see something. */
  patienceMs: number;
}

const ended = { done: true, value: undefined } as const;

/** Puts rows together, in their order, as they come. */
export async function* inBatches(
  rows: AsyncIterable<Row>,
  { maxRows, maxCharacters, patienceMs }: BatchOptions,
): AsyncGenerator<readonly Row[]> {
  const iterator = rows[Symbol.asyncIterator]();
  let batch: Row[] = [];
  let characters = 0;
  let timer: NodeJS.Timeout | undefined;
  let patience: Promise<undefined> | undefined;
  const state: { failure?: { error: unknown } } = {};
  const take = () => {
    const taken = batch;
    clearTimeout(timer);
    [batch, characters, patience] = [[], 0, undefined];
    return taken;
  };
  try {
    for (let next = iterator.next(); ;) {
      const result = await (patience ? Promise.race([next, patience]) : next).catch((error: unknown) => {
        state.failure = { error }; // What came before it, comes before it.
        return ended;
      });
      if (result === undefined) {
        yield take();
        continue;
      }
      if (result.done === true) break;
      next = iterator.next();
      next.catch(() => undefined); // It is awaited above, after the batch before it is through.
      const size = sizeOf(result.value);
      if (batch.length > 0 && characters + size > maxCharacters) yield take();
      batch.push(result.value);
      characters += size;
      patience ??= new Promise((resolve) => {
        timer = setTimeout(resolve, patienceMs, undefined);
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
  return 'reason' in row ? 0 : row.fields.title.length + row.fields.author.length;
}
