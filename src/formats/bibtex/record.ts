import { fillFields, type Book } from '../../catalogue/book.ts';
import { noTitle, type ReadRecord } from '../parsed-book.ts';
import { joinAuthors, splitAuthors, type Name } from '../text/names.ts';
import { joinTitle, oneLine } from '../text/title.ts';
import { yearOf } from '../text/year.ts';
import type { Entry } from './entry.ts';
import { readNames } from './names.ts';
import { texToText, textToTex } from './tex.ts';

/** The fields that an entry takes from the entry in its `crossref`, if it has none of its own. */
export const inherited = [
  ['author', 'editor'],
  ['year', 'date'],
] as const;

/** Reads an entry. @param parent The entry in its `crossref`. */
export function readBibtexEntry(entry: Entry, parent?: Entry): ReadRecord {
  const [authors, dates] = inherited;
  try {
    const title = joinTitle(texToText(texOf('title', entry)), texToText(texOf('subtitle', entry)));
    if (title === '') return { reason: noTitle };
    const fields = fillFields({
      title,
      author: joinAuthors(readNames(findTex(authors, entry, parent))),
      year: yearOf(texToText(findTex(dates, entry, parent))),
    });
    return { fields };
  } catch (error) {
    if (error instanceof SyntaxError) return { reason: error.message };
    throw error;
  }
}

/** The first of these fields that is not blank, in the entry or else in its parent. */
function findTex(names: readonly string[], entry: Entry, parent: Entry | undefined): string {
  for (const each of parent ? [entry, parent] : [entry])
    for (const name of names) {
      const tex = texOf(name, each);
      if (tex.trim() !== '') return tex;
    }
  return '';
}

/** @throws {SyntaxError} It names a macro that is not defined. */
function texOf(name: string, { fields }: Entry): string {
  const value = fields.get(name);
  if (value !== undefined && 'undefinedMacro' in value)
    throw new SyntaxError(`its ${name} names ${value.undefinedMacro}, which no @string defines`);
  return value?.tex ?? '';
}

/** A book as an entry. */
export function writeBibtexEntry({ id, title, author, year }: Book): string {
  const names = splitAuthors(author).map(texName);
  const values = [
    ['title', textToTex(oneLine(title))],
    ...(names.length > 0 ? [['author', names.join(' and ')]] : []),
    ...(year === 0 ? [] : [['year', String(year)]]),
  ];
  const fields = values.map(([name = '', value = '']) => `  ${name} = {${value}},\n`).join('');
  return `@book{book${id},\n${fields}}\n\n`;
}

/** Braces keep a name without parts whole, and BibTeX has the suffix before the given name. */
function texName(name: Name): string {
  if ('literal' in name) return `{${textToTex(name.literal)}}`;
  const { family, given = '', suffix } = name;
  return [family, ...(suffix === undefined ? [] : [suffix]), given].map(texPart).join(', ');
}

function texPart(text: string): string {
  const tex = textToTex(text);
  return /,|(?:^|\s)and(?:\s|$)/i.test(text) ? `{${tex}}` : tex;
}
