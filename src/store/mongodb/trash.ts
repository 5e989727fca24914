import type { Filter } from 'mongodb';
import { notAPosition, type DeletedBook, type TrashPage, type TrashRequest } from '../contract/history.ts';
import { createPage } from '../contract/page.ts';
import { bookProjection, tombstones, type BookDocument } from './schema.ts';
import { readBatches, type Reading } from './reading.ts';

const latest = new Date(8_640_000_000_000_000);

/** {@link BookStore.trash} */
export async function readTrash(
  reading: Reading,
  { limit, after }: TrashRequest,
  since: number,
): Promise<TrashPage> {
  const page = createPage(limit);
  const books: DeletedBook[] = [];
  let next: string | undefined;
  const options = {
    projection: { ...bookProjection, deletedAt: 1 },
    sort: { deletedAt: -1, _id: -1 },
    limit: page.maxBooks + 1,
    batchSize: page.maxBooks + 1,
  } as const;
  const isKept = { deletedAt: { $gte: new Date(Math.max(0, since)) } };
  let rows = 0;
  for await (const batch of readBatches(
    reading,
    { $and: [tombstones, isKept, ...filterAfter(after)] },
    options,
  )) {
    for (const { document, book } of batch) {
      if (page.isFull || rows++ === page.maxBooks) return { books, next };
      const { deletedAt } = document;
      if (!(deletedAt instanceof Date)) continue;
      next = `${deletedAt.getTime()}-${document._id}`;
      if (book === undefined) continue;
      books.push({ ...book, deletedAt });
      page.add(book);
    }
  }
  return { books, next: undefined };
}

/** The tombstones after a position, which is a time and an id. */
function filterAfter(after: string | undefined): Filter<BookDocument>[] {
  if (after === undefined) return [{ deletedAt: { $lte: latest } }];
  const [, time, id] = /^(-?[0-9]{1,16})-([0-9]{1,16})$/.exec(after) ?? [];
  const deletedAt = new Date(Number(time));
  if (Number.isNaN(deletedAt.getTime())) throw notAPosition();
  return [
    { deletedAt: { $lte: deletedAt } },
    { $or: [{ deletedAt: { $lt: deletedAt } }, { deletedAt, _id: { $lt: Number(id) } }] },
  ];
}
