import { isUnconditional, matches, toCondition, type BookQuery, type Condition } from '../../query/query.ts';
import { certain, uncertain } from './filter.ts';
import { beyondAscii, plainCandidates } from './plain.ts';
import { bookProjection, type BookDocument } from './prepare.ts';
import { readRecords, type Reading } from './reading.ts';
import type { Unindexed } from './unindexed.ts';

/** More ids than this are not sent to the server. */
const maxSeen = 10_000;

/** Counts the books that a query fits: first those that have no index entry, then, without these, the others. */
export async function countBooks(reading: Reading, unindexed: Unindexed, query: BookQuery): Promise<number> {
  const condition = toCondition(query);
  const { collections, limits } = reading;
  if (isUnconditional(condition)) return collections.books.countDocuments({ _id: { $gt: 0 } }, limits);
  const seen: number[] = [];
  let count = 0;
  for await (const book of unindexed.orOld(reading, condition)) {
    if (seen.length === maxSeen) return countAll(reading, condition);
    seen.push(book.id);
    if (matches(condition, book)) count++;
  }
  return count + (await countIndexed(reading, condition, seen));
}

/** What the index knows for certain is counted on the server. */
async function countIndexed(
  reading: Reading,
  condition: Condition,
  seen: readonly number[],
): Promise<number> {
  const {
    collections: { books },
    decode,
    limits,
  } = reading;
  const unseen = seen.length === 0 ? [] : [{ _id: { $nin: seen } }];
  const sure = certain(condition);
  let count = sure ? await books.countDocuments({ $and: [...sure, ...unseen] }, limits) : 0;
  const unsure = uncertain(condition);
  if (unsure) {
    const options = { projection: bookProjection };
    for await (const document of readRecords(reading, { $and: [...unsure, ...unseen] }, options))
      if (matches(condition, decode(document))) count++;
  }
  return count;
}

/**
 * Has the server go through all books once, without an index: what gets its entry meanwhile is neither counted twice
 * nor missed. The books about which it is sure come as a number, the others one by one.
 */
export async function countAll(
  { collections: { books }, decode, limits }: Reading,
  condition: Condition,
): Promise<number> {
  const isNoText = (field: string) => ({ $ne: [{ $type: field }, 'string'] });
  const isUnsure = (field: string) => ({
    $cond: [isNoText(field), true, { $regexMatch: { input: field, regex: beyondAscii } }],
  });
  const isSure = certain(condition) && { $not: [{ $or: [isUnsure('$title'), isUnsure('$author')] }] };
  const pipeline = [
    { $match: { $and: [{ _id: { $gt: 0 } }, plainCandidates(condition)] } },
    {
      $group: {
        _id: { $cond: [isSure ?? false, 0, '$_id'] },
        count: { $sum: 1 },
        ...Object.fromEntries(['title', 'author', 'year'].map((field) => [field, { $first: `$${field}` }])),
      },
    },
  ];
  const options = { hint: { $natural: 1 }, allowDiskUse: true, ...limits };
  let count = 0;
  for await (const { count: sure, ...document } of books.aggregate<BookDocument & { count: number }>(
    pipeline,
    options,
  ))
    if (document._id === 0) count += sure;
    else if (matches(condition, decode(document))) count++;
  return count;
}
