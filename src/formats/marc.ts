import { fillFields } from '../catalogue/book.ts';
import type { ReadRecord } from './record.ts';
import { joinAuthors, joinTitle, joinTitles, oneLine, toNatural, yearOf } from './text.ts';

/** A field of data: its tag, two indicators, and subfields in their order. */
export interface DataField {
  tag: string;
  indicators: string;
  subfields: readonly (readonly [code: string, value: string])[];
}

/** A bibliographic record of MARC21 (https://www.loc.gov/marc/bibliographic/). */
export interface MarcRecord {
  leader: string;
  /** The fields without subfields, by tag; the first of each. */
  control: ReadonlyMap<string, string>;
  data: readonly DataField[];
}

/** The first value of a subfield; empty if there is none. */
export function subfield(field: DataField | undefined, code: string): string {
  return field?.subfields.find(([each]) => each === code)?.[1] ?? '';
}

/** Every value of a subfield. */
export function subfields(field: DataField, code: string): string[] {
  return field.subfields.filter(([each]) => each === code).map(([, value]) => value);
}

/** A record as text, a field a line, as MarcEdit writes it. */
export function describeRecord({ leader, control, data }: MarcRecord): string {
  const lines = [
    `=LDR  ${leader}`,
    ...[...control].map(([tag, value]) => `=${tag}  ${value}`),
    ...data.map(
      ({ tag, indicators, subfields: parts }) =>
        `=${tag}  ${indicators.replaceAll(' ', '\\')}${parts.map(([code, value]) => `$${code}${value}`).join('')}`,
    ),
  ];
  return lines.join('\n');
}

export function readMarcRecord(record: MarcRecord): ReadRecord {
  if (record.leader[5] === 'd') return { problem: { code: 'deletedRecord' } };
  const field = findTitle(record.data);
  const title = field === undefined ? '' : readTitle(field, record.leader);
  if (title !== '')
    return { fields: fillFields({ title, author: readAuthors(record), year: readYear(record) }) };
  const isUnimarc =
    field === undefined && record.data.some((each) => each.tag === '200' && subfield(each, 'a') !== '');
  return { problem: { code: 'noTitleField', isUnimarc } };
}

/** The title; where it is only in the script of the book, the field that is linked to 245. */
function findTitle(data: readonly DataField[]): DataField | undefined {
  return (
    data.find(({ tag }) => tag === '245') ??
    data.find((field) => field.tag === '880' && subfield(field, '6').startsWith('245'))
  );
}

/**
 * Reads a title (field 245): title, subtitle ($b), and number ($n) and name ($p) of a part, without the marks of ISBD.
 *
 * A leader with `c` says that these are omitted: what looks like one belongs to the title, except before another subfield, where
 * some programs leave them.
 */
function readTitle({ subfields }: DataField, leader: string): string {
  const isWithoutMarks = leader[18] === 'c';
  let title = '';
  let last = '';
  for (const [at, [code, value]] of subfields.entries()) {
    if (!'abnp'.includes(code)) continue;
    const clean = cleanText(value);
    const isExact = isWithoutMarks && at === subfields.length - 1;
    const ended = isExact ? clean : withoutMark(clean);
    const text = isWithoutMarks ? ended : withoutMarks(ended);
    if (text === '') continue;
    if (code === 'n' || code === 'p') {
      const separator = code === 'p' && last === 'n' ? ', ' : '. ';
      title = title === '' ? text : `${title.replace(/[.,]$/, '')}${separator}${text}`;
    } else title = joinTitle(title, text);
    last = code;
  }
  return isWithoutMarks ? title : withoutFullStop(title);
}

/** Relators of authors: codes ($4) and terms ($e), in English, German, French, Spanish and Italian. */
const author =
  /^(?:aut|cre|dub)$|^(?:joint |co-?)?author$|^(?:co-?)?aut(?:eu|o)r[ea]?$|^verfasser|^creator$|^writer$/i;
const editor = /^(?:edt|com)$|editor|^ed\.|herausgeber|^hrsg|éditeur|curatore|compiler/i;

/**
 * Reads the authors: the main entry (1xx) and the added entries (7xx) that are authors. An added entry without a relator is
 * one if it is a person, or if the record names no other. Editors fill in where there is no author.
 */
function readAuthors({ data }: MarcRecord): string {
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
  return abbreviations.test(trimmed) ? trimmed : trimmed.replace(/\.$/, '');
}

/** Reads the year of publication: date 1 of field 008; where it has none or not all digits, 046, 264 or 260. */
function readYear({ control, data }: MarcRecord): number {
  const fixed = control.get('008')?.slice(7, 11) ?? '';
  if (/^[0-9]{4}$/.test(fixed) && fixed !== '9999' && fixed !== '0000') return Number(fixed);
  const special = data.find(({ tag }) => tag === '046');
  const beforeChrist = /^[0-9]{1,4}$/.exec(subfield(special, 'b').trim())?.[0];
  if (beforeChrist !== undefined) return -Number(beforeChrist);
  const publications = data.filter(({ tag }) => tag === '264' || tag === '260');
  // The second indicator of 264 tells a publication (1) from a production, a manufacture and a copyright.
  const ranked = publications.toSorted((a, b) => rank(a.tag + a.indicators) - rank(b.tag + b.indicators));
  return (
    ranked
      .map((field) => yearOf(cleanText(subfield(field, 'c')).replace(/[.,;]$/, '')))
      .find((year) => year !== 0) ?? 0
  );
}

function rank(field: string): number {
  return /^264.1/.test(field) ? 0 : field.startsWith('260') ? 1 : 2;
}

/** The control characters around a leading article that sorting ignores, as the Deutsche Nationalbibliothek writes them. */
const sortMarks = /[\u0098\u009c]/g;

/** Cleans the text of a subfield: composed characters, on one line. */
function cleanText(text: string): string {
  const plain = text.replace(sortMarks, '');
  return oneLine(longRun.test(plain) ? plain : plain.normalize('NFC'));
}

/** More combining marks than any writing has (UAX #15, stream-safe text): the time to compose them is quadratic. */
const longRun = /\p{M}{31}/u;

/** Removes characters at the end of a text. A regular expression would take quadratic time where they are many. */
function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Removes the marks of ISBD that announce the next element: `Emma :`, `Emma /`. */
export function withoutMark(text: string): string {
  return text.replace(/\s*[/=:;,]$/, '');
}

/** Turns the marks of ISBD within a text into those of prose (`Emma : a novel`), without what follows ` / `. */
function withoutMarks(text: string): string {
  const parts = text
    .replace(/\s\/\s.*$/, '')
    .split(/\s[:=](?=\s)/)
    .map(oneLine);
  return joinTitles(parts).replace(/\s+;(?=\s)/g, ';');
}

const abbreviations =
  /(?:^|[\s.(-])(?:\p{L}\p{M}?|etc|jr|sr|dr|st|mr|mrs|vol|no|nr|bd|co|inc|ltd|u\.?s\.?a)\.$/iu;

/** Removes the full stop at the end of a title, but not that of an abbreviation, an initial or an ellipsis. */
function withoutFullStop(text: string): string {
  return text.endsWith('..') || abbreviations.test(text) ? text : text.replace(/\.$/, '');
}
