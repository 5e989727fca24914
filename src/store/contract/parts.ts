// Parts of words: a word with which no word of a book begins finds those that contain it.
import { wordMembers } from '../../catalogue/correction.ts';
import type { StoreQuery, WordMember } from '../../catalogue/query.ts';
import { queryTerms, type Term } from '../../catalogue/words.ts';
import type { Lexicon } from './corrections.ts';

/** A part is at least this long, in letters. */
const hasThreeLetters = /\p{L}\P{L}*\p{L}\P{L}*\p{L}/u;
/** The maximum number of words that contain a part: the shortest ones, which have the least beside it. */
const maxWords = 64;

/**
 * A query that finds the words which contain those of a query that finds nothing; `undefined` if each of its words begins one, or
 * if no word contains one of them.
 */
export async function toParts(query: StoreQuery, lexicon: Lexicon): Promise<StoreQuery | undefined> {
  const parts = new Map<WordMember, Map<string, Term>>();
  for (const member of wordMembers) {
    for (const text of (query[member] ?? '').split(/\s+/)) {
      for (const term of queryTerms(text)) {
        const [word = ''] = term;
        if (!hasThreeLetters.test(word)) continue;
        const words = await lexicon.words();
        // The list also has words of other fields, and of books that are gone.
        const mayBegin = term.some((each) => words.hasStart(each));
        if (mayBegin && (await lexicon.find({ [member]: text, sort: 'id' }, 1)).length > 0) continue;
        const containing = words.containing(word, maxWords);
        if (containing.length === 0) return undefined;
        parts.set(member, (parts.get(member) ?? new Map<string, Term>()).set(word, containing));
      }
    }
  }
  return parts.size === 0 ? undefined : { ...query, parts: Object.fromEntries(parts) };
}
