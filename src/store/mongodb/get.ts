import type { Book } from '../../book.ts';
import type { Verdict } from '../gather.ts';
import { bookProjection, type Collections } from './prepare.ts';
import type { Decode } from './record.ts';

type Found = Verdict<Readonly<Book> | undefined>;

const none: Found = { value: undefined };

/** Reads books together, in one round trip; who asks for the same one shares it. */
export async function getBooks(
  { books }: Collections,
  decode: Decode,
  ids: readonly number[],
): Promise<readonly Found[]> {
  const unique = [...new Set(ids)];
  // All of them in one batch: the server keeps no cursor, unless they are very long.
  const options = { projection: bookProjection, batchSize: unique.length + 1 };
  const found = new Map<number, Found>();
  for (const document of await books.find({ _id: { $in: unique } }, options).toArray()) {
    try {
      found.set(document._id, { value: Object.freeze(decode(document)) });
    } catch (error) {
      found.set(document._id, { error: error as Error });
    }
  }
  return ids.map((id) => found.get(id) ?? none);
}
