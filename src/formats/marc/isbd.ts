import { joinTitles, oneLine } from '../text/title.ts';

/** The control characters around a leading article that sorting ignores, as the Deutsche Nationalbibliothek writes them. */
const sortMarks = /[\u0098\u009c]/g;

/** Cleans the text of a subfield: composed characters, on one line. */
export function cleanText(text: string): string {
  const plain = text.replace(sortMarks, '');
  return oneLine(longRun.test(plain) ? plain : plain.normalize('NFC'));
}

/** More combining marks than any writing has (UAX #15, stream-safe text): the time to compose them is quadratic. */
const longRun = /\p{M}{31}/u;

/** Removes characters at the end of a text. A regular expression would take quadratic time where they are many. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Removes the marks of ISBD that announce the next element: `Emma :`, `Emma /`. */
export function withoutMark(text: string): string {
  return text.replace(/\s*[/=:;,]$/, '');
}

/** Turns the marks of ISBD within a text into those of prose (`Emma : a novel`), without what follows ` / `. */
export function withoutMarks(text: string): string {
  const parts = text
    .replace(/\s\/\s.*$/, '')
    .split(/\s[:=](?=\s)/)
    .map(oneLine);
  return joinTitles(parts).replace(/\s+;(?=\s)/g, ';');
}

const abbreviations = /(?:^|[\s.(])(?:\p{L}|etc|jr|sr|dr|st|mr|mrs|vol|no|nr|bd|co|inc|ltd|u\.?s\.?a)\.$/iu;

/** Removes the full stop at the end of a title, but not that of an abbreviation, an initial or an ellipsis. */
export function withoutFullStop(text: string): string {
  return text.endsWith('..') || abbreviations.test(text) ? text : text.replace(/\.$/, '');
}
