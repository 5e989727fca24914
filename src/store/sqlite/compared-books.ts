// Remembers what the order by rank compares of books: searches rank the same ones again and again.
import {
  comparedOf,
  rankOfCompared,
  maxCompared,
  type Compared,
  type RankingWords,
} from '../../catalogue/ranking.ts';
import { GenerationalCache } from '../../lib/generational-cache.ts';
import type { RankedId } from '../contract/best.ts';
import { ChangedBooks } from './changed-books.ts';
import type { Statements } from './connection.ts';
import { jsonRows, readBooks } from './read-books.ts';
import type { QueryContext } from './reading.ts';

/** Up to twice this number of books are remembered: about 10 MB. */
const maxBooks = 10_000;

/** SQL for the part of a text that is compared; NULL for bytes, which JSON cannot hold. */
function comparedPart(column: string): string {
  return `iif(typeof(${column}) = 'text', substr(${column}, 1, ${maxCompared}), NULL)`;
}
const wantedParts = `SELECT json_group_array(json_array(books.id, ${comparedPart('books.title')}, ${comparedPart('books.author')}))
  FROM json_each(?) AS wanted CROSS JOIN books ON books.id = wanted.value`;
type Parts = readonly [id: number, title: string | null, author: string | null];

/** The books of a connection. */
class ComparedBooks {
  readonly #changed: ChangedBooks;
  readonly #known = new GenerationalCache<number, Compared>(maxBooks);

  constructor(statements: Statements) {
    this.#changed = new ChangedBooks(statements);
  }

  /** Where books stand, without those that do not exist. */
  placesOf(reading: QueryContext, ids: readonly number[], words: RankingWords): RankedId[] {
    this.#changed.removeFrom(this.#known);
    const places: RankedId[] = [];
    const unknown: number[] = [];
    for (const id of ids) {
      const known = this.#known.get(id);
      if (known === undefined) unknown.push(id);
      else places.push({ key: rankOfCompared(words, known), id });
    }
    for (let start = 0; start < unknown.length; start += maxBooks)
      for (const [id, compared] of this.#load(reading, unknown.slice(start, start + maxBooks)))
        places.push({ key: rankOfCompared(words, compared), id });
    return places;
  }

  *#load(reading: QueryContext, ids: readonly number[]): Generator<readonly [number, Compared]> {
    for (const [id, title, author] of jsonRows<Parts>(reading.statements, wantedParts, JSON.stringify(ids))) {
      reading.checkTime();
      const [book] = title === null || author === null ? readBooks(reading, [id]) : [{ title, author }];
      if (book === undefined) continue;
      const compared = comparedOf(book);
      this.#known.set(id, compared);
      yield [id, compared];
    }
  }
}

const ofConnections = new WeakMap<Statements, ComparedBooks>();

export function comparedBooks(statements: Statements): ComparedBooks {
  const known = ofConnections.get(statements) ?? new ComparedBooks(statements);
  ofConnections.set(statements, known);
  return known;
}
