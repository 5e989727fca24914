import type { Condition } from '../../query/query.ts';
import { cutWord } from './entry.ts';
import { certain, type BookFilter } from './filter.ts';

/** The server folds no text but ASCII: what has another character is a candidate, and needs a second look. */
export const beyondAscii = /[^\x00-\x7f]/; // eslint-disable-line no-control-regex -- all of ASCII.

/**
 * The books that a condition may fit, by their plain fields: for those that have no index entry. Of the books that
 * are all ASCII none too many, if the condition is {@link certain}. What is no book is a candidate too.
 */
export function plainCandidates(condition: Condition): BookFilter {
  const { words, title, author, yearFrom, yearTo } = condition;
  const isCertain = certain(condition) !== undefined;
  const wholes = Object.entries({ title, author }).filter(([, text]) => isCertain && text !== undefined);
  const all = [
    { year: { $gte: yearFrom, $lte: yearTo } },
    ...wholes.map(([field, text = '']) => ({ [field]: whole(text) })),
    ...words.map((word) => ({ $or: [{ title: startOf(word) }, { author: startOf(word) }] })),
  ];
  return {
    $or: [{ $and: all }, { title: noText }, { author: noText }, { year: noNumber }],
  };
}

const noNumber = { $not: { $gte: -Infinity } };
const noText = { $not: { $type: 'string' } } as const;

function startOf(word: string): RegExp {
  return pattern(`(?:^|[^a-z0-9])${cutWord(word)}`, word);
}

function whole(folded: string): RegExp {
  return pattern(`^[^a-z0-9]*${folded.replaceAll(' ', '[^a-z0-9]+')}[^a-z0-9]*$`, folded);
}

/** Folded text is letters and digits: nothing in it has a meaning of its own in a pattern. */
function pattern(source: string, folded: string): RegExp {
  return beyondAscii.test(folded) ? beyondAscii : new RegExp(`${source}|${beyondAscii.source}`, 'i');
}
