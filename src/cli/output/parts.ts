/** Things that are written at once. */
const thingsAtOnce = 500;

/** Puts things together that come one by one, for as few writes as there need be. */
export async function* inParts<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T[]> {
  let part: T[] = [];
  for await (const item of items) {
    if (part.push(item) < thingsAtOnce) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
