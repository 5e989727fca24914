// Walks an index in the order of a query; merges ranges if it ignores articles.
import { continueRange, keyInOrder, rangesOf, type KeyRange } from '../../catalogue/article-order.ts';
import { comparePositions, type KeysetPosition, type OrderKey } from '../../catalogue/keyset-position.ts';
import type { BookFilter } from '../../catalogue/query.ts';
import type { Row } from './binding.ts';

/** A range of an index, which is walked separately. */
export interface WalkedRange extends KeyRange {
  /** Makes its SQL different: two readers cannot share a prepared statement. */
  readonly number: number;
}

/** Walks an index from a position; in a range, if there is one. The id is the first column, and the key is the last one. */
type Walk = (after: KeysetPosition | undefined, range?: WalkedRange) => Iterable<Row>;

/** The rows of a walk, in the order of a filter that may ignore articles. */
export function walkInOrder(
  filter: BookFilter,
  after: KeysetPosition | undefined,
  walk: Walk,
): Iterable<Row> {
  return filter.articles.length === 0 ? walk(after) : mergeRanges(filter, after, walk);
}

function* mergeRanges(
  filter: BookFilter,
  after: KeysetPosition | undefined,
  walk: Walk,
): Generator<Row, void, undefined> {
  const { articles, isDescending } = filter;
  let number = 0;
  const sequences = rangesOf(articles, isDescending).map((ranges) =>
    walkSequence(
      filter,
      after,
      walk,
      ranges.map((range) => ({ ...range, number: ++number })),
    ),
  );
  try {
    const heads = sequences.map((rows) => rows.next());
    for (;;) {
      let first: { row: Row; position: KeysetPosition } | undefined;
      let firstIndex = 0;
      for (const [i, { value, done }] of heads.entries()) {
        if (done === true) continue;
        if (first !== undefined && comparePositions(filter, value.position, first.position) >= 0) continue;
        [first, firstIndex] = [value, i];
      }
      const rows = sequences[firstIndex];
      if (first === undefined || rows === undefined) return;
      yield first.row;
      heads[firstIndex] = rows.next();
    }
  } finally {
    for (const rows of sequences) rows.return();
  }
}

/** Walks ranges one after the other. */
function* walkSequence(
  { isDescending }: BookFilter,
  after: KeysetPosition | undefined,
  walk: Walk,
  ranges: readonly WalkedRange[],
): Generator<{ row: Row; position: KeysetPosition }, void, undefined> {
  for (const range of ranges) {
    const place = continueRange(range, isDescending, after);
    if (place === undefined) continue;
    for (const row of walk(place.after, range)) {
      const key = keyInOrder(range, row.at(-1) as OrderKey);
      yield { row, position: { key, id: Number(row[0]) } };
    }
  }
}

/** The key of the order as an SQL expression: the column without an article. */
export function orderExpression({ sort, articles }: BookFilter, column: string): string {
  if (sort === 'id' || articles.length === 0) return column;
  const cases = articles.map((article) => {
    const length = Array.from(article).length + 1;
    // An article consists of letters and digits, which need no escaping.
    return `WHEN substr(${column}, 1, ${length}) = '${article} ' THEN substr(${column}, ${length + 1})`;
  });
  return `CASE ${cases.join(' ')} ELSE ${column} END`;
}
