// Counts the books that match; the total once for each version.
import type { Document, Filter } from 'mongodb';
import { matches, type BookFilter } from '../../catalogue/query.ts';
import { promisedOptions, type BookDocument } from './schema.ts';
import { certain, hasEntry, uncertain } from './filter.ts';
import type { PrimaryTerm } from './primary-term.ts';
import { readDocuments, type QueryContext } from './reading.ts';
import type { Version } from './version.ts';

/**
 * Counts the books that match: on the server, except those that must be checked one by one.
 *
 * @param place What documents must have besides.
 */
export async function countBooks(
  reading: QueryContext,
  filter: BookFilter,
  place: Filter<BookDocument> = {},
): Promise<number> {
  const sure = certain(filter);
  let count = sure ? await countOnServer(reading, { $and: [place, ...sure] }) : 0;
  const unsure = uncertain(filter);
  if (unsure === undefined) return count;
  for await (const batch of readDocuments(reading, { $and: [place, ...unsure] }, {})) {
    for (const { book } of batch) if (book !== undefined && matches(filter, book)) count++;
  }
  return count;
}

/**
 * Uses the command `count`: the aggregation of the driver's helper is three times slower.
 *
 * @param limit The count ends here. 0: never.
 * @param hint The index to use.
 */
export async function countOnServer(
  { database: { db, books }, maxTimeMS }: QueryContext,
  query: Filter<BookDocument>,
  limit = 0,
  hint?: Document,
): Promise<number> {
  const { readConcern } = promisedOptions;
  const command = {
    count: books.collectionName,
    query,
    limit,
    readConcern,
    maxTimeMS,
    ...(hint && { hint }),
  };
  const answer: Document = await db.command(command);
  return Number(answer.n);
}

/** The number of all books, counted once for each version. */
export class TotalCount {
  readonly #version: Version;
  readonly #term: PrimaryTerm;
  #counted: { readonly version: string; readonly count: Promise<number> } | undefined;

  constructor(version: Version, term: PrimaryTerm) {
    this.#version = version;
    this.#term = term;
  }

  async get(reading: QueryContext): Promise<number> {
    const version = await this.#version.read();
    if (this.#counted?.version === version) return this.#counted.count;
    // Uses only the index, which contains every book with an entry once. A new primary may not show the last writes yet.
    const count = this.#term.read(() => countOnServer(reading, hasEntry));
    const counted = { version, count };
    this.#counted = counted;
    count.catch(() => {
      if (this.#counted === counted) this.#counted = undefined;
    });
    return count;
  }
}
