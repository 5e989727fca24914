// The authors of all books: the server groups a part of the index of the authors at a time.
import { authorField } from '../../catalogue/fields.ts';
import type { Document, Filter } from 'mongodb';
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import {
  authorsPartBooks,
  maxSpellingBytes,
  type AuthorsPart,
  type AuthorTally,
} from '../questions/authors.ts';
import type { QueryContext } from './reading.ts';
import type { BookDocument } from './schema.ts';

const key = `index.${authorField}`;

/** The authors of the books after a position: first the other books of its author, then those of the next ones. */
export async function readAuthors(
  reading: QueryContext,
  after: KeysetPosition | undefined,
): Promise<AuthorsPart> {
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
  { database: { books }, maxTimeMS, signal }: QueryContext,
  place: Filter<BookDocument>,
  limit: number,
): Promise<Document[]> {
  const text = `$${authorField}`;
  const isText = { $eq: [{ $type: text }, 'string'] };
  const spelling = { $cond: [{ $lte: [{ $strLenBytes: text }, maxSpellingBytes] }, text, `$${key}`] };
  const group = { key: `$${key}`, author: { $cond: [isText, spelling, null] } };
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
