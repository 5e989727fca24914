import { fieldNames, type BookFields } from '../../../catalogue/fields.ts';
import { hasCode } from '../../../catalogue/errors.ts';
import { client } from '../service.ts';

/** The highest id in the catalogue: books that are added later have higher ones. */
export async function readHighestId(): Promise<number> {
  const { books } = await client.page({ sort: '-id', limit: 1 });
  return books[0]?.id ?? 0;
}

/** A request whose answer was lost. */
export interface LostRequest<Row> {
  readonly rows: readonly Row[];
  readonly batch: string;
  /** The number of books that the batch had added before. */
  readonly addedBefore: number;
  /** The highest id before: equal books of earlier requests do not count as those of this one. */
  readonly highestId: number;
}

/**
 * Finds out which books of a request without an answer the service has stored nevertheless, so that none is added twice.
 *
 * @returns The books that are still to be added.
 */
export async function withoutStored<Row extends { readonly fields: BookFields }>({
  rows,
  batch,
  addedBefore,
  highestId,
}: LostRequest<Row>): Promise<readonly Row[]> {
  const created = await createdBy(batch);
  // A service that keeps no history knows of no batch: then the new books themselves must tell.
  const stored = created === undefined ? rows.length : created - addedBefore;
  if (stored <= 0) return rows;
  if (created !== undefined && stored >= rows.length) return [];
  const added = new Map<string, number>();
  for await (const book of client.books({ sort: '-id' })) {
    if (book.id <= highestId) break;
    added.set(keyOf(book), (added.get(keyOf(book)) ?? 0) + 1);
  }
  return rows.filter(({ fields }) => {
    const count = added.get(keyOf(fields)) ?? 0;
    added.set(keyOf(fields), count - 1);
    return count <= 0;
  });
}

/** `undefined`: the service knows of no such batch. */
async function createdBy(batch: string): Promise<number | undefined> {
  try {
    return (await client.batch(batch)).created;
  } catch (error) {
    if (hasCode(error, 'not_found')) return undefined;
    throw error;
  }
}

function keyOf(book: BookFields): string {
  return JSON.stringify(fieldNames.map((name) => book[name]));
}
