import type { ReadRecord } from './record.ts';
import { joinAuthors, toNatural } from './author-names.ts';
import { joinTitle, joinTitles, oneLine, withoutSortMarks, yearOf } from './text.ts';

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

/** A field of data from its text, in which U+001F begins each subfield. @param clean Applied to each value. */
export function readDataField(tag: string, text: string, clean = (value: string) => value): DataField {
  const [indicators = '', ...parts] = text.split('\u001f');
  return {
    tag,
    indicators,
    subfields: parts.map((part) => [part.slice(0, 1), clean(part.slice(1))] as const),
  };
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

export function readMarcRecord({ leader, control, data: all }: MarcRecord): ReadRecord {
  if (leader[5] === 'd') return { problem: { code: 'deletedRecord' } };
  if (isUnimarc(all)) return readUnimarcRecord(leader, all);
  const data = inOwnScript(all);
  const field =
    data.find(({ tag }) => tag === '245') ??
    data.find((each) => each.tag === '880' && subfield(each, '6').startsWith('245'));
  const title = field === undefined ? '' : readTitle(field, leader);
  if (title === '') return { problem: { code: 'noTitleField' } };
  return { fields: { title, author: readAuthors(data), year: readYear(control, data) } };
}

/**
 * The fields, with title and names in the script of the book where fields 880 have them: so its readers write and search them.
 * Elsewhere such a record has transcriptions, by rules that few people know.
 */
function inOwnScript(data: readonly DataField[]): readonly DataField[] {
  const links = new Map<string, DataField>();
  for (const field of data) {
    const [link] = /^(?:245|[17][01][01])-\d\d/.exec(field.tag === '880' ? subfield(field, '6') : '') ?? [];
    if (link !== undefined && !link.endsWith('-00') && !links.has(link)) links.set(link, field);
  }
  if (links.size === 0) return data;
  return data.map((field) => {
    const number = /^880-(\d\d)/.exec(subfield(field, '6'))?.[1] ?? '';
    const found = links.get(`${field.tag}-${number}`);
    return found === undefined ? field : { ...found, tag: field.tag };
  });
}

/**
 * Reads a title (field 245): title, subtitle ($b), and number ($n) and name ($p) of a part, without the marks of ISBD.
 *
 * A leader with `c` says that these are omitted: what looks like one belongs to the title, except before another subfield, where
 * some programs leave them.
 */
function readTitle({ subfields }: DataField, leader: string): string {
  const isWithoutMarks = leader[18] === 'c';
  const parts: string[] = [];
  let last = '';
  for (const [at, [code, value]] of subfields.entries()) {
    if (!'abnp'.includes(code)) continue;
    const clean = cleanText(value);
    const isExact = isWithoutMarks && at === subfields.length - 1;
    const ended = isExact ? clean : withoutMark(clean);
    const text = isWithoutMarks ? ended : withoutMarks(ended);
    if (text === '') continue;
    // A subfield looks at the part before it alone: a title may have very many.
    const before = parts.at(-1);
    if (before === undefined) parts.push(text);
    else if (code === 'n' || code === 'p') {
      if (/[.,]$/.test(before)) parts[parts.length - 1] = before.slice(0, -1);
      parts.push(code === 'p' && last === 'n' ? ', ' : '. ', text);
    } else parts.push(joinTitle(before.slice(-1), text).slice(1));
    last = code;
  }
  const title = parts.join('');
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
function readAuthors(data: readonly DataField[]): string {
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

/** UNIMARC, of libraries in France, Portugal, Italy, Greece and China, has the title in 200, and no 245. */
function isUnimarc(data: readonly DataField[]): boolean {
  return data.some(isTitleOfUnimarc) && data.every(({ tag }) => tag !== '245' && tag !== '880');
}

const isTitleOfUnimarc = (field: DataField) => field.tag === '200' && subfield(field, 'a') !== '';

/** Reads a record of UNIMARC (https://www.ifla.org/unimarc/). */
function readUnimarcRecord(leader: string, data: readonly DataField[]): ReadRecord {
  const field = data.find(isTitleOfUnimarc);
  if (field === undefined) return { problem: { code: 'noTitleField' } };
  const codes: Readonly<Record<string, string>> = { a: 'a', e: 'b', h: 'n', i: 'p' };
  const first = field.subfields.findIndex(([code]) => code === 'a');
  // A further title is that of another work in the same book.
  const named = field.subfields.flatMap(([code, value], at) =>
    codes[code] === undefined || (code === 'a' && at !== first) ? [] : [[codes[code], value] as const],
  );
  // The marks of ISBD are not written.
  const title = readTitle({ ...field, subfields: named }, leader.slice(0, 18).padEnd(18) + 'c');
  if (title === '') return { problem: { code: 'noTitleField' } };
  const entries = data.filter(({ tag }) => /^7[012][012]$/.test(tag));
  const withRole = (role: RegExp) =>
    entries.filter((entry) => subfields(entry, '4').some((code) => role.test(code)));
  const primary = entries.filter(({ tag }) => /^7[01][01]$/.test(tag));
  const chosen = [
    withRole(/^070/),
    primary.filter((entry) => subfield(entry, '4') === ''),
    withRole(/^(?:340|220)/),
  ].find(({ length }) => length > 0);
  const [statement = ''] = subfields(field, 'f');
  const names = (chosen ?? []).map(readUnimarcName);
  const general = subfield(
    data.find(({ tag }) => tag === '100'),
    'a',
  ).slice(9, 13);
  const dates = data
    .filter(({ tag }) => ['210', '214', '219'].includes(tag))
    .map((each) => subfield(each, 'd'));
  const year = isYear(general)
    ? Number(general)
    : (dates.map((date) => yearOf(cleanText(date))).find(Boolean) ?? 0);
  return { fields: { title, author: joinAuthors(names) || cleanText(statement), year } };
}

/** A name in natural order: the family name in $a, the given name in $b; of a body, the units of it. */
function readUnimarcName(field: DataField): string {
  const [name, rest, numeration] = ['a', 'b', 'd'].map((code) =>
    withoutEnd(cleanText(subfield(field, code))),
  );
  if (field.tag.startsWith('71')) return [name, rest].filter(Boolean).join('. ');
  return [rest, rest === '' ? toNatural(name ?? '') : name, numeration]
    .filter(Boolean)
    .join(' ')
    .replaceAll(',', '');
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
  const isNatural = /^[03]/.test(field.indicators);
  // Chinese, Japanese and Korean names have the family name first in natural order, too.
  const natural = isNatural ? name : /^\p{sc=Han}/u.test(name) ? name.replace(/,\s*/, '') : toNatural(name);
  return [natural, numeration, suffix]
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll(',', '');
}

/** Removes the punctuation before the next subfield, but not the full stop of an initial. */
export function withoutEnd(text: string): string {
  const trimmed = trimEndOf(text, ' ,;:/'); // It is on one line.
  return abbreviations.test(trimmed) ? trimmed : trimmed.replace(/\.$/, '');
}

/** Reads the year of publication: date 1 of field 008; where it has none or not all digits, 046, 264 or 260. */
function readYear(control: MarcRecord['control'], data: readonly DataField[]): number {
  const fixed = control.get('008') ?? '';
  const dates = [fixed.slice(7, 11), fixed.slice(11, 15)].map((date) => (isYear(date) ? Number(date) : 0));
  const [first = 0, second = 0] = dates;
  // The dates of a reprint are its own, then that of the original; some records have them in the other order.
  if (first !== 0) return fixed[6] === 'r' ? Math.max(first, second) : first;
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

const isYear = (date: string) => /^[0-9]{4}$/.test(date) && date !== '9999' && date !== '0000';

function rank(field: string): number {
  return /^264.1/.test(field) ? 0 : field.startsWith('260') ? 1 : 2;
}

/** Cleans the text of a subfield: composed characters, on one line. */
function cleanText(text: string): string {
  const plain = withoutSortMarks(text);
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
