// The authors of all books: the server groups a part of the index of the authors at a time, or steps in it from one to the next.
import type { Document, Filter } from 'mongodb';
import { compareFolded } from '../../catalogue/fold.ts';
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import { authorField } from '../../catalogue/statistics.ts';
import {
  authorsPartBooks,
  findNextAuthors,
  maxSpellingLength,
  type AuthorName,
  type AuthorsPart,
  type AuthorTally,
} from '../contract/authors.ts';
import type { NextAuthorsOptions } from '../contract/store.ts';
import { findBooks } from './find.ts';
import type { Reading } from './reading.ts';
import type { BookDocument } from './schema.ts';

const key = `index.${authorField}`;
const isText = { $eq: [{ $type: `$${authorField}` }, 'string'] };
const spelling = { $cond: [isText, { $substrCP: [`$${authorField}`, 0, maxSpellingLength] }, null] };

/** The authors of the books after a position: first the other books of its author, then those of the next ones. */
export async function readAuthors(reading: Reading, after: KeysetPosition | undefined): Promise<AuthorsPart> {
  const places: Filter<BookDocument>[] =
    after === undefined
      ? [{ [key]: { $gt: '' } }]
      : [{ [key]: after.key, _id: { $gt: after.id } }, { [key]: { $gt: after.key } }];
  const tallies: AuthorTally[] = [];
  let last = after;
  let left = authorsPartBooks;
  for (const place of places) {
    if (left <= 0) break;
    for (const { _id: group, count, id } of await readPart(reading, place, left)) {
      const own = group as { key: string; author: unknown };
      left -= Number(count);
      last = { key: own.key, id: last?.key === own.key ? Math.max(last.id, Number(id)) : Number(id) };
      if (typeof own.author === 'string')
        tallies.push({ key: own.key, author: own.author, count: Number(count) });
    }
  }
  return { tallies, last: left > 0 ? undefined : last };
}

/** The books of a place, at most so many, by spelling. */
async function readPart(
  { database: { books }, maxTimeMS, signal }: Reading,
  place: Filter<BookDocument>,
  limit: number,
): Promise<Document[]> {
  const group = { key: `$${key}`, author: spelling };
  const stages = [
    { $match: place },
    { $sort: { [key]: 1, _id: 1 } },
    { $limit: limit },
    { $group: { _id: group, count: { $sum: 1 }, id: { $max: '$_id' } } },
    { $sort: { '_id.key': 1 } },
  ];
  const found = await books.aggregate(stages, { maxTimeMS, batchSize: limit }).toArray();
  signal.throwIfAborted();
  return found;
}

/** The authors after a key. The server takes one step in the index for each (its plan is a `DISTINCT_SCAN`). */
export async function readNextAuthors(
  reading: Reading,
  options: Omit<NextAuthorsOptions, 'signal'>,
): Promise<readonly AuthorName[]> {
  const { after, isDescending = false, limit } = options;
  const { database, maxTimeMS, signal } = reading;
  const place = isDescending ? { $gt: '', ...(after !== undefined && { $lt: after }) } : { $gt: after ?? '' };
  const stages = [
    { $match: { [key]: place } },
    { $sort: { [key]: isDescending ? -1 : 1 } },
    { $group: { _id: `$${key}`, [authorField]: { $first: `$${authorField}` } } },
    { $limit: limit },
    { $project: { author: spelling } },
  ];
  const found = await database.books.aggregate(stages, { maxTimeMS, batchSize: limit }).toArray();
  signal.throwIfAborted();
  const names = found.map(({ _id, author }): AuthorName => {
    const own = String(_id);
    return { key: own, author: typeof author === 'string' ? author : own };
  });
  // Another plan groups all authors, and returns any of them: no promise of the server excludes it.
  const isInOrder = names.every(({ key: own }, i) => {
    const before = names[i - 1]?.key;
    return before === undefined || compareFolded(own, before) * (isDescending ? -1 : 1) > 0;
  });
  if (isInOrder) return names;
  return findNextAuthors({ find: (query, page) => findBooks(reading, query, page) }, options);
}
