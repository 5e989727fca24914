import { joinAuthors, toNatural } from '../text/names.ts';
import { cleanText, trimEndOf } from './isbd.ts';
import { subfield, subfields, type DataField, type MarcRecord } from './marc-record.ts';

/** Relators of authors: codes ($4) and terms ($e), in English, German, French, Spanish and Italian. */
const author =
  /^(?:aut|cre|dub)$|^(?:joint |co-?)?author$|^(?:co-?)?aut(?:eu|o)r[ea]?$|^verfasser|^creator$|^writer$/i;
const editor = /^(?:edt|com)$|editor|^ed\.|herausgeber|^hrsg|éditeur|curatore|compiler/i;

/**
 * Reads the authors: the main entry (1xx) and the added entries (7xx) that are authors. An added entry without a relator is
 * one if it is a person, or if the record names no other. Editors fill in where there is no author.
 */
export function readAuthors({ data }: MarcRecord): string {
  const main = data.filter(({ tag }) => /^1[01][01]$/.test(tag));
  const added = data.filter((field) => /^7[01][01]$/.test(field.tag) && subfield(field, 't') === '');
  const withRole = (role: RegExp) =>
    added.filter((field) => relatorsOf(field).some((each) => role.test(each)));
  const withoutRole = added.filter((field) => relatorsOf(field).length === 0);
  const authors = new Set(withRole(author));
  const persons = added.filter(
    (field) => authors.has(field) || (field.tag === '700' && relatorsOf(field).length === 0),
  );
  const choices = [[...main, ...persons], withRole(editor), withoutRole];
  const chosen = choices.find(({ length }) => length > 0) ?? [];
  return joinAuthors([...new Set(chosen.map(readName))]);
}

/** The relators of an entry, without the addresses that some libraries add. */
function relatorsOf(field: DataField): string[] {
  return [field.tag.endsWith('11') ? 'j' : 'e', '4']
    .flatMap((code) => subfields(field, code))
    .map((relator) => trimEndOf(cleanText(relator).replace(/^.*\//, ''), '.,;'))
    .filter((relator) => relator !== '');
}

/** A name in natural order. */
function readName(field: DataField): string {
  const clean = (code: string) => withoutEnd(cleanText(subfield(field, code)));
  if (!field.tag.endsWith('00'))
    return [...subfields(field, 'a'), ...subfields(field, 'b')]
      .map((part) => withoutEnd(cleanText(part)))
      .join('. ');
  const name = clean('a');
  const numeration = clean('b');
  const suffix = /^(?:Jr\.?|Sr\.?|I{2,3}|IV)(?=,|$)/.exec(clean('c'))?.[0] ?? '';
  // 0 is a forename, 3 a family: these are in natural order.
  const natural = /^[03]/.test(field.indicators) ? name : toNatural(name);
  return [natural, numeration, suffix]
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll(',', '');
}

/** Removes the punctuation before the next subfield, but not the full stop of an initial. */
function withoutEnd(text: string): string {
  const trimmed = trimEndOf(text, ' ,;:/'); // It is on one line.
  return /(?:^|[\s.-])\p{Lu}\p{M}?\.$|\b(?:Jr|Sr|Inc|Ltd|Co|etc)\.$/u.test(trimmed)
    ? trimmed
    : trimmed.replace(/\.$/, '');
}
