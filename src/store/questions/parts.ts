// Parts of words: a word with which no word of a book begins finds those that contain it.
import { wordMembers } from '../../catalogue/fields.ts';
import { createHash } from 'node:crypto';
import type { StoreQuery, WordMember } from '../../catalogue/query.ts';
import { queryTerms, type Term } from '../../catalogue/words.ts';
import { scheduler } from '../../lib/scheduler.ts';
import type { Lexicon } from './corrections.ts';

/** A part is at least this long, in letters. */
const hasThreeLetters = /\p{L}\P{L}*\p{L}\P{L}*\p{L}/u;
/** The maximum number of words that contain a part: the shortest ones, which have the least beside it. */
const maxWords = 64;
/** Queries with more different words find no parts: each costs a search of all words. */
const maxTyped = 8;

/** A typed word that may be a part. */
interface Typed {
  readonly member: WordMember;
  readonly word: string;
  readonly term: Term;
  /** What was typed between spaces, with this word in it. */
  readonly text: string;
}

/**
 * A query that finds the words which contain those of a query that finds nothing; `undefined` if each of its words begins one, if
 * no word contains one of them, or if it has too many.
 */
export async function toParts(query: StoreQuery, lexicon: Lexicon): Promise<StoreQuery | undefined> {
  const typed = wordMembers.flatMap((member) => typedIn(query, member));
  const different = new Set(typed.map(({ word }) => word));
  if (different.size === 0 || different.size > maxTyped) return undefined;
  const words = await lexicon.words();
  const containing = new Map<string, Term>();
  for (const word of different)
    containing.set(word, await scheduler.run(() => words.containing(word, maxWords)));
  const parts = new Map<WordMember, Map<string, Term>>();
  for (const { member, word, term, text } of typed) {
    const longer = containing.get(word) ?? [];
    // The list also has words of other fields, and of books that are gone.
    const mayBegin = term.some((each) => words.hasStart(each));
    if (longer.length === 0 && !mayBegin) return undefined;
    if (longer.length === 0) continue;
    if (mayBegin && (await lexicon.find({ [member]: text, sort: 'id' }, 1)).length > 0) continue;
    parts.set(member, (parts.get(member) ?? new Map<string, Term>()).set(word, longer));
  }
  return parts.size === 0 ? undefined : { ...query, parts: Object.fromEntries(parts) };
}

/** The words of a member that are long enough, each once. */
function typedIn(query: StoreQuery, member: WordMember): Typed[] {
  const typed = new Map<string, Typed>();
  for (const text of (query[member] ?? '').split(/\s+/))
    for (const term of queryTerms(text)) {
      const [word = ''] = term;
      if (hasThreeLetters.test(word) && !typed.has(word)) typed.set(word, { member, word, term, text });
    }
  return [...typed.values()];
}

/** Names the words that a query finds instead of the typed ones, for a position in its listing. */
export function nameParts({ parts = {} }: StoreQuery): string {
  const lines = wordMembers.flatMap((member) =>
    [...(parts[member] ?? [])].map(([word, containing]) => [member, word, ...containing].join(' ')),
  );
  // The order of the typed words does not matter.
  return createHash('sha256').update(lines.sort().join('\n')).digest('base64url').slice(0, 11);
}
