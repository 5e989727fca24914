// Reads the start of a stream without taking it away.
/**
 * Reads the start of a source.
 *
 * @param isEnough Whether the pieces so far suffice.
 * @returns These pieces, and the whole source again.
 */
export async function peek<Piece>(
  source: AsyncIterable<Piece>,
  isEnough: (taken: readonly Piece[]) => boolean,
): Promise<{ taken: readonly Piece[]; whole: AsyncGenerator<Piece> }> {
  const rest = source[Symbol.asyncIterator]();
  const taken: Piece[] = [];
  try {
    while (!isEnough(taken)) {
      const next = await rest.next();
      if (next.done === true) break;
      taken.push(next.value);
    }
  } catch (error) {
    await rest.return?.();
    throw error;
  }
  return { taken, whole: resume(taken, rest) };
}

async function* resume<Piece>(taken: readonly Piece[], rest: AsyncIterator<Piece>): AsyncGenerator<Piece> {
  try {
    yield* taken;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.(); // A reader that stops early ends the source too.
  }
}
