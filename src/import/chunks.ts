// Groups the rows of a file into chunks, which are compared with the catalogue and written one after the other.
interface ChunkLimits {
  readonly maxRows: number;
  /** The approximate length of their texts. A longer row is a chunk of its own. */
  readonly maxCharacters: number;
  /** A chunk is complete this long after its first row, for a user who types rows. */
  readonly maxWaitMs: number;
}

const ended = { done: true, value: undefined } as const;

/**
 * Splits rows into chunks, in their order, as they arrive. An error of the rows follows the rows before it.
 *
 * @param lengthOf The length of the texts of a row.
 */
export async function* inChunks<Row>(
  rows: AsyncIterable<Row>,
  lengthOf: (row: Row) => number,
  { maxRows, maxCharacters, maxWaitMs }: ChunkLimits,
): AsyncGenerator<readonly Row[]> {
  const iterator = rows[Symbol.asyncIterator]();
  let chunk: Row[] = [];
  let characters = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timeout: Promise<undefined> | undefined;
  const state: { failure?: { error: unknown } } = {};
  const take = () => {
    const taken = chunk;
    clearTimeout(timer);
    [chunk, characters, timeout] = [[], 0, undefined];
    return taken;
  };
  try {
    for (let next = iterator.next(); ;) {
      const result = await (timeout ? Promise.race([next, timeout]) : next).catch((error: unknown) => {
        state.failure = { error };
        return ended;
      });
      if (result === undefined) {
        yield take();
        continue;
      }
      if (result.done === true) break;
      next = iterator.next();
      next.catch(() => undefined); // It is awaited above, after the previous chunk.
      const length = lengthOf(result.value);
      if (chunk.length > 0 && characters + length > maxCharacters) yield take();
      chunk.push(result.value);
      characters += length;
      timeout ??= new Promise((resolve) => {
        timer = setTimeout(() => {
          resolve(undefined);
        }, maxWaitMs);
      });
      if (chunk.length >= maxRows) yield take();
    }
    if (chunk.length > 0) yield take();
    if (state.failure) throw state.failure.error;
  } finally {
    clearTimeout(timer);
    await iterator.return?.();
  }
}
