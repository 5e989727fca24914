// Reads the start of a stream without taking it away.
/**
 * Reads the start of a source.
 *
 * @param isEnough Whether the pieces so far suffice.
 * @param judge What the pieces say. Its error ends the source: to throw it later would leave the source open, because a
 * generator that nobody has started cannot be ended.
 * @returns What they say, and the whole source again.
 */
export async function peek<Piece, Found>(
  source: AsyncIterable<Piece>,
  isEnough: (taken: readonly Piece[]) => boolean,
  judge: (taken: readonly Piece[]) => Found | Promise<Found>,
): Promise<{ found: Found; whole: AsyncGenerator<Piece> }> {
  const rest = source[Symbol.asyncIterator]();
  const taken: Piece[] = [];
  try {
    while (!isEnough(taken)) {
      const next = await rest.next();
      if (next.done === true) break;
      taken.push(next.value);
    }
    return { found: await judge(taken), whole: resume(taken, rest) };
  } catch (error) {
    await rest.return?.();
    throw error;
  }
}

async function* resume<Piece>(taken: readonly Piece[], rest: AsyncIterator<Piece>): AsyncGenerator<Piece> {
  try {
    yield* taken;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.(); // A reader that stops early ends the source too.
  }
}

/** A text from an index on. */
export async function* withoutStart(text: AsyncIterable<string>, index: number): AsyncGenerator<string> {
  let left = index;
  for await (const piece of text) {
    yield piece.slice(left);
    left = Math.max(0, left - piece.length);
  }
}
