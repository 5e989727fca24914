import { wordMembers } from './fields.ts';
import { type Correction } from './correction.ts';
import { ShelflistError } from './errors.ts';
import type { BookQuery } from './query.ts';

/** What was read for a query, or for its best correction. */
export interface Corrected<Result> {
  readonly result: Result;
  /** The words that were read instead of those of the query; `undefined`: those of the query. */
  readonly correction: Correction | undefined;
}

/** How {@link readCorrected} reads. */
export interface Reading<Query, Result> {
  readonly read: (query: Query) => Promise<Result>;
  /** Whether the result shows that no book matches. */
  readonly isEmpty: (result: Result) => boolean;
  readonly correct: (query: Query) => Promise<readonly Correction[]>;
}

/** Reads something for a query. Where no book matches, it is read for the best correction of the words, if there is one. */
export async function readCorrected<Query extends BookQuery, Result>(
  query: Query,
  { read, isEmpty, correct }: Reading<Query, Result>,
): Promise<Corrected<Result>> {
  const result = await read(query);
  const asked = { result, correction: undefined };
  if (!isEmpty(result) || wordMembers.every((name) => query[name] === undefined)) return asked;
  const [correction] = await correct(query).catch((error: unknown) => {
    // The result is right without a correction, too.
    if (error instanceof ShelflistError) return [];
    throw error;
  });
  if (correction === undefined) return asked;
  const corrected = await read({ ...query, ...correction });
  return isEmpty(corrected) ? asked : { result: corrected, correction }; // The books may have gone meanwhile.
}

/** The words of a query or a correction, as a reader sees them. */
export function wordsOf(query: BookQuery): string {
  return wordMembers.flatMap((name) => query[name] ?? []).join(' ');
}
