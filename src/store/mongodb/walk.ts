// Walks the candidates of a search in its order.
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import { searchedFields } from '../../catalogue/fields.ts';
import type { BookFilter } from '../../catalogue/query.ts';
import { countOnServer } from './count.ts';
import { candidates } from './filter.ts';
import { isSorted, listMatches, readListed, type Candidate } from './match-list.ts';
import { keyOf, placesAfter, type OrderedSearch } from './places.ts';
import { readDocuments, type QueryContext } from './reading.ts';
import { bookProjection, hasServerCode } from './schema.ts';

/**
 * Walks the candidates of a search in its order. Each part is a separate query, so that no cursor stays open.
 *
 * @param firstRead One more than fits on the page, to find out whether another one follows.
 */
export async function* walk(
  reading: QueryContext,
  search: OrderedSearch,
  after: KeysetPosition | undefined,
  firstRead: number,
): AsyncGenerator<Candidate, void> {
  const projection = { ...bookProjection, [`index.${search.index}`]: 1 };
  const hint = (await areTogether(reading, search.filter)) ? { hint: byWords } : {};
  for (let last = after, isLast = false, limit = firstRead; !isLast; limit *= 2) {
    for (const place of placesAfter(search, last)) {
      const options = { sort: search.sort, limit, batchSize: Math.min(limit, maxBatch), projection, ...hint };
      let count = 0;
      for await (const batch of readDocuments(reading, { $and: [place, ...search.terms] }, options)) {
        for (const { document, book } of batch) {
          count++;
          const key = keyOf(search, document);
          if (key === undefined) continue;
          const candidate = { document, book, key, id: document._id };
          yield candidate;
          last = candidate;
        }
      }
      isLast = count < limit;
      if (!isLast) break;
    }
    if (isLast || limit > firstRead || !isSorted(search)) continue;
    // Candidates may be many that do not match. The server may sort them for each query, so that the others are sorted once.
    const others = await listMatches(reading, search, last);
    if (others === undefined) continue;
    yield* readListed(reading, others);
    return;
  }
}

/** The number of documents that the server sends at a time: a whole page, and one more. */
const maxBatch = 1001;
const byWords = { 'index.words': 1 };
/** At most so many books with a word are sorted for each page. */
const maxSorted = 20_000;
/** The server's code for a hint to an index that is not there, or is being built. */
const badHint = 2;

/**
 * Whether the index of words leads to few enough books that are together in their order, because their words are in the field that
 * orders them. The server expects such books everywhere, and would walk most of the index of the order.
 */
async function areTogether(reading: QueryContext, filter: BookFilter): Promise<boolean> {
  const { fieldWords, sort, texts, ranges } = filter;
  const name = searchedFields.find((each) => each === sort);
  if (name === undefined || (fieldWords[name] ?? []).length === 0) return false;
  if (Object.keys(texts).length > 0 || Object.keys(ranges).length > 0) return false;
  try {
    return (await countOnServer(reading, { $and: candidates(filter) }, maxSorted + 1, byWords)) <= maxSorted;
  } catch (error) {
    if (hasServerCode(error, badHint)) return false;
    throw error;
  }
}
