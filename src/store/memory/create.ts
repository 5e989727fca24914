// Stores many books at once, with an idempotency key.
import { checkDigest, idempotencyKeyMs, type NewBooks } from '../contract/create.ts';
import type { Created } from '../contract/store.ts';
import type { MemoryData } from './data.ts';

/** As `BookStore.createMany`. */
export function createMany(
  shelf: MemoryData,
  { books, batch, user, idempotencyKey: repeat }: NewBooks,
): Created {
  pruneRepeats(shelf);
  const first = repeat && shelf.repeats.get(repeat.key);
  if (repeat && first) {
    checkDigest(repeat, first.digest);
    return { ids: first.ids, batch: first.batch, isReplay: true };
  }
  const ids = books.map((fields) => {
    const id = shelf.lastId + 1;
    shelf.put({ id, ...fields }, { batch, user });
    return id;
  });
  if (repeat)
    shelf.repeats.set(repeat.key, { digest: repeat.digest, ids, batch, at: shelf.clock.stamp().getTime() });
  return { ids, batch, isReplay: false };
}

function pruneRepeats({ repeats, clock }: MemoryData): void {
  const oldest = clock.read() - idempotencyKeyMs;
  for (const [key, { at }] of repeats) {
    if (at >= oldest) return;
    repeats.delete(key);
  }
}
