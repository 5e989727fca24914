const maxPartLength = 500;

/** Groups items, for fewer writes. */
export async function* inParts<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T[]> {
  let part: T[] = [];
  for await (const item of items) {
    if (part.push(item) < maxPartLength) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
