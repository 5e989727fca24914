import type { BookQuery } from '../../../catalogue/query.ts';
import { firstOfDecade, yearField } from '../../../catalogue/statistics.ts';
import { texts } from '../../texts/current.ts';

/** A decade as a reader knows it, and the query for its books. */
export interface Decade {
  readonly label: string;
  readonly query: BookQuery;
}

/** The decade of a year. Year 0 means that there is none. */
export function decadeOf(year: number): Decade {
  const from = firstOfDecade(year);
  return {
    label: texts.books.decade(from),
    query: { [`${yearField}From`]: from || 1, [`${yearField}To`]: from + 9 },
  };
}
