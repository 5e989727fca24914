import type { Document, Filter } from 'mongodb';
import { matches, type Condition } from '../../query/query.ts';
import { promisedOptions, type BookDocument } from './documents.ts';
import { certain, hasEntry, uncertain } from './filter.ts';
import { readBatches, type Reading } from './reading.ts';
import type { Version } from './version.ts';

/** Counts the books that match: on the server, except those that must be checked one by one. */
export async function countBooks(reading: Reading, condition: Condition): Promise<number> {
  const sure = certain(condition);
  let count = sure ? await countOnServer(reading, { $and: sure }) : 0;
  const unsure = uncertain(condition);
  if (unsure === undefined) return count;
  for await (const batch of readBatches(reading, { $and: unsure }, {})) {
    for (const { book } of batch) if (book !== undefined && matches(condition, book)) count++;
  }
  return count;
}

/** Uses the command `count`: the aggregation of the driver's helper is three times slower. */
async function countOnServer(
  { database: { db, books }, maxTimeMS }: Reading,
  query: Filter<BookDocument>,
): Promise<number> {
  const { readConcern } = promisedOptions;
  const answer: Document = await db.command({ count: books.collectionName, query, readConcern, maxTimeMS });
  return Number(answer.n);
}

/** The number of all books, counted once for each version. */
export class TotalCount {
  readonly #version: Version;
  #counted: { readonly version: string; readonly count: Promise<number> } | undefined;

  constructor(version: Version) {
    this.#version = version;
  }

  async get(reading: Reading): Promise<number> {
    const version = await this.#version.read();
    if (this.#counted?.version === version) return this.#counted.count;
    // Uses only the index, which contains every book with an entry once.
    const count = countOnServer(reading, hasEntry);
    const counted = { version, count };
    this.#counted = counted;
    count.catch(() => {
      if (this.#counted === counted) this.#counted = undefined;
    });
    return count;
  }
}
