import type { Book, BookFields } from '../catalogue/book.ts';
import { type FieldName, fieldNames, nameField } from '../catalogue/fields.ts';
import { type BookParser, maxRecordLength, noTitle, type ParsedBook, type ReadRecord } from './record.ts';
import { joinAuthors, type Name, splitAuthors } from './author-names.ts';
import { joinTitle, oneLine, withoutSortMarks, yearOf } from './text.ts';
import { texToText, textToTex } from './tex.ts';
import { type Cut, FileError, RowError, type RowProblem } from './problems.ts';

/** The fields that an entry takes from the entry in its `crossref`, if it has none of its own. */
export const inherited = [
  ['author', 'editor'],
  ['year', 'date'],
] as const;

/** Reads an entry. @param parent The entry in its `crossref`. */
function readBibtexEntry(entry: Entry, parent?: Entry): ReadRecord {
  const [authors, dates] = inherited;
  try {
    const title = withoutSortMarks(
      joinTitle(texToText(texOf('title', entry)), texToText(texOf('subtitle', entry))),
    );
    if (title === '') return { problem: noTitle };
    const fields = {
      title,
      author: joinAuthors(readNames(findTex(authors, entry, parent))),
      year: yearOf(texToText(findTex(dates, entry, parent))),
    };
    return { fields };
  } catch (error) {
    if (error instanceof RowError) return { problem: error.problem };
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

/** @throws {RowError} It names a macro that is not defined. */
function texOf(name: string, { fields }: Entry): string {
  const value = fields.get(name);
  if (value !== undefined && 'undefinedMacro' in value)
    throw new RowError({ code: 'macro', field: name, macro: value.undefinedMacro });
  return value?.tex ?? '';
}

/** The value of each field; only the title is written if it is empty. */
const texValues: Readonly<Record<FieldName, (book: BookFields) => string>> = {
  title: ({ title }) => textToTex(oneLine(title)),
  author: ({ author }) => splitAuthors(author).map(texName).join(' and '),
  year: ({ year }) => (year === 0 ? '' : String(year)),
};

export function writeBibtexEntry(book: Book): string {
  const values = fieldNames
    .map((name) => [name, texValues[name](book)] as const)
    .filter(([name, value]) => name === nameField || value !== '')
    .map(([name, value]) => `  ${name} = {${value}},\n`);
  return `@book{book${book.id},\n${values.join('')}}\n\n`;
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

/** Reads a list of names: `Hunt, Andrew and Thomas, David` or `Andrew Hunt and {Free Software Foundation}`. */
function readNames(tex: string): string[] {
  return splitOutside(tex, /\sand(?=\s)/y)
    .map((name) => readName(name.trim()))
    .filter((name) => name !== 'others');
}

/** A name in natural order. */
function readName(tex: string): string {
  const parts = splitOutside(tex, /,/y).map((part) => texToText(part));
  const named = readNamedParts(parts);
  if (named !== undefined) return named;
  const [last = '', second = '', ...rest] = parts;
  // "von Last, First" and "von Last, Jr, First"
  return oneLine(rest.length === 0 ? `${second} ${last}` : `${rest.join(' ')} ${last} ${second}`);
}

/** The extended format of BibLaTeX: `family=Hunt, given=Andrew`. */
function readNamedParts(parts: readonly string[]): string | undefined {
  const members = new Map<string, string>();
  for (const part of parts) {
    const [, name = '', value = ''] = /^([a-z-]+)\s*=\s*"?(.*?)"?$/.exec(part) ?? [];
    if (name === '') return undefined;
    members.set(name, value);
  }
  return oneLine(['given', 'prefix', 'family', 'suffix'].map((name) => members.get(name) ?? '').join(' '));
}

/** Splits at a sticky pattern, outside braces. */
function splitOutside(tex: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < tex.length; at++) {
    const character = tex[at];
    if (character === '{') depth++;
    else if (character === '}') depth--;
    if (depth > 0) continue;
    separator.lastIndex = at;
    if (!separator.test(tex)) continue;
    parts.push(tex.slice(start, at));
    start = separator.lastIndex;
    at = start - 1;
  }
  return [...parts, tex.slice(start)];
}

/** An entry whose values are still TeX. */
export interface Entry {
  /** In lower case. */
  type: string;
  key: string;
  /** By name in lower case; the first of each. */
  fields: ReadonlyMap<string, Value>;
}

/** A value with its macros replaced, or the macro that is not defined. */
export type Value = { tex: string } | { undefinedMacro: string };

/** The abbreviations of `@string`, by name in lower case. */
type Macros = Map<string, string>;

/**
 * In characters, of all macros that an entry names. Macros may name others twice, so a few lines can stand for gigabytes; and
 * thousands of entries are held at once.
 */
const maxMacroLength = 16 * 1024;

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The macros that every style of BibTeX defines. */
function createMacros(): Macros {
  return new Map(months.map((month) => [month, month]));
}

/** Reads the text of an entry; a `@string` defines macros. @throws {RowError} It cannot be read. */
function readEntry(text: string, macros: Macros): Entry {
  const reader = new Reader(text.slice(0, -1), macros);
  const type = reader.take(/@\s*([A-Za-z]+)\s*[{(]/y).toLowerCase();
  if (type === 'comment' || type === 'preamble') return { type, key: '', fields: new Map() };
  const key = type === 'string' ? '' : reader.take(/\s*(?:([^,\s]+)\s*)?(?:,|$)/y, '');
  const fields = reader.takeFields();
  if (type === 'string') for (const [name, value] of fields) if ('tex' in value) macros.set(name, value.tex);
  return { type, key, fields };
}

class Reader {
  readonly #text: string;
  readonly #macros: Macros;
  #at = 0;
  #macroLength = 0;

  constructor(text: string, macros: Macros) {
    this.#text = text;
    this.#macros = macros;
  }

  /** Takes what a sticky pattern matches; returns its group. @param absent What stands for a group that is missing. */
  take(pattern: RegExp, absent?: string): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) throw this.#unexpected();
    this.#at = pattern.lastIndex;
    return found[1] ?? absent ?? found[0];
  }

  /** Takes the fields. A comma may be missing, as in files of Mendeley. */
  takeFields(): Map<string, Value> {
    const fields = new Map<string, Value>();
    for (;;) {
      this.take(/(?:[\s,]|%[^\n]*(?:\n|$))*/y); // A line that begins with % is a comment for biber.
      if (this.#at >= this.#text.length) return fields;
      const name = this.take(/([^\s={}"(),#%'@]+)\s*=\s*/y).toLowerCase();
      const value = this.#takeValue();
      if (!fields.has(name)) fields.set(name, value);
    }
  }

  /** Takes `{text}`, `"text"`, `1999`, `macro`, or several of these with `#` between them. */
  #takeValue(): Value {
    let value: Value = { tex: '' };
    for (;;) {
      const part = this.#takePart();
      value = 'tex' in part && 'tex' in value ? { tex: value.tex + part.tex } : 'tex' in value ? part : value;
      if (this.take(/\s*#?\s*/y).trim() !== '#') return value;
    }
  }

  #takePart(): Value {
    const opening = this.#text[this.#at];
    if (opening === '{' || opening === '"') return { tex: this.#takeDelimited(opening) };
    const name = this.take(/[^\s={}"(),#%'@]+/y);
    if (/^[0-9]+$/.test(name)) return { tex: name };
    const tex = this.#macros.get(name.toLowerCase());
    if (tex === undefined) return { undefinedMacro: name };
    this.#macroLength += tex.length;
    if (this.#macroLength > maxMacroLength)
      throw new RowError({ code: 'macrosTooLong', maxKib: maxMacroLength / 1024 });
    return { tex };
  }

  #takeDelimited(opening: string): string {
    const first = this.#at + 1;
    const pattern = /[{}"]/g;
    pattern.lastIndex = first;
    let depth = 0;
    for (let found = pattern.exec(this.#text); found; found = pattern.exec(this.#text)) {
      const [character] = found;
      if (depth === 0 && character === (opening === '{' ? '}' : '"')) {
        this.#at = found.index + 1;
        return this.#text.slice(first, found.index);
      }
      if (character === '{') depth++;
      else if (character === '}' && --depth < 0) break;
    }
    throw this.#unexpected();
  }

  #unexpected(): RowError {
    return new RowError({ code: 'entryFields', at: this.#text.slice(this.#at, this.#at + 30) });
  }
}

/** The text of an entry, from its @ to its last bracket, and whether it is damaged. */
interface EntryText {
  text: string;
  isDamaged: boolean;
}

/** The start of an entry: its type and the opening bracket. */
const start = /@[ \t\r\n]*([A-Za-z]+)[ \t\r\n]*[{(]/y;
/** An @ that may become such a start when more text arrives. */
const partialStart = /@[ \t\r\n]*(?:[A-Za-z]+[ \t\r\n]*)?$/y;
/** An entry at the beginning of a line, within another entry: the brackets of the other one do not match. */
const nextEntry = /@[A-Za-z]+[ \t]*[{(]/y;
const partialNextEntry = /@(?:[A-Za-z]+[ \t]*)?$/y;
/** A field after the end of an entry: a brace too many has closed it. */
const strayField = /^[\s,})]*[A-Za-z][\w-]*\s*=/;
/** In characters. Suffices to find such a field. */
const maxLookahead = 200;
/** In characters. A longer start of an entry is text, so that none is examined again with each piece. */
const maxStart = 10_000;

/**
 * Splits BibTeX into entries while it arrives, as BibTeX does: by counting braces, also those after a backslash. It examines
 * each character once. Text between entries is a comment.
 */
class EntrySplitter {
  #text = '';
  /** How far `#text` was examined. */
  #at = 0;
  /** In an entry, the number of open braces; -1 outside. */
  #depth = -1;
  /** Within quotes, which may hold the parenthesis that would end the entry. */
  #isQuoted = false;
  #closing = '}';
  /** A complete entry, until what follows it has shown whether its brackets match. */
  #held: string | undefined;

  /** The length of the text held because its entry is incomplete. */
  get pendingLength(): number {
    return this.#text.length;
  }

  /** Whether the text ends within an entry. */
  get isOpen(): boolean {
    return this.#depth >= 0 || (this.#text.startsWith('@') && this.#held === undefined);
  }

  /** Takes the next piece of text; yields the entries that end in it. */
  *push(piece: string): Generator<EntryText> {
    this.#text += piece;
    for (;;) {
      const entry = this.#depth < 0 ? this.#findStart() : this.#findEnd();
      if (entry === undefined) return;
      if (entry !== 'again') yield entry;
    }
  }

  /** Ends the text; yields the last entry. */
  *end(): Generator<EntryText> {
    const last = this.#release(this.#text);
    if (last) yield last;
  }

  /** Skips what precedes the next entry. */
  #findStart(): EntryText | 'again' | undefined {
    const at = this.#text.indexOf('@');
    if (this.#held !== undefined) {
      if (at < 0 && this.#text.length < maxLookahead) return undefined;
      return this.#release(at < 0 ? this.#text : this.#text.slice(0, at));
    }
    this.#text = at < 0 ? '' : this.#text.slice(at);
    if (at < 0) return undefined;
    const [opened] = matchAt(start, this.#text, 0) ?? [];
    if (opened === undefined) {
      if (this.#text.length < maxStart && matchAt(partialStart, this.#text, 0)) return undefined;
      this.#text = this.#text.slice(1); // An address of e-mail, for example.
      return 'again';
    }
    this.#closing = opened.endsWith('(') ? ')' : '}';
    this.#depth = 0;
    this.#isQuoted = false;
    this.#at = opened.length;
    return 'again';
  }

  /** Examines an entry up to its end. */
  #findEnd(): EntryText | 'again' | undefined {
    const pattern = /[{})@"]/g;
    pattern.lastIndex = this.#at;
    for (let found = pattern.exec(this.#text); found; found = pattern.exec(this.#text)) {
      const { index } = found;
      const [character] = found;
      if (character === '@') {
        if (!/\n[ \t]*$/.test(this.#text.slice(Math.max(0, index - 100), index))) continue;
        if (matchAt(nextEntry, this.#text, index)) return this.#close(index, true);
        if (this.#text.length - index > maxStart || !matchAt(partialNextEntry, this.#text, index)) continue;
        this.#at = index;
        return undefined;
      }
      if (character === '{') this.#depth++;
      else if (character === '"') this.#isQuoted = this.#depth === 0 ? !this.#isQuoted : this.#isQuoted;
      else if (this.#depth === 0 && character === this.#closing && !(character === ')' && this.#isQuoted))
        return this.#close(index + 1, false);
      else if (character === '}') this.#depth = Math.max(0, this.#depth - 1);
    }
    this.#at = this.#text.length;
    return undefined;
  }

  /** Ends the entry. A complete one is held until the next character. */
  #close(end: number, isDamaged: boolean): EntryText | 'again' {
    const text = this.#text.slice(0, end);
    this.#text = this.#text.slice(end);
    this.#depth = -1;
    if (isDamaged) return { text, isDamaged };
    this.#held = text;
    return 'again';
  }

  #release(after: string): EntryText | undefined {
    const text = this.#held;
    this.#held = undefined;
    return text === undefined ? undefined : { text, isDamaged: strayField.test(after) };
  }
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}

/** The number of latest entries kept for references. */
const maxRecent = 1000;
/** The entries that wait for the one they refer to. */
const maxWaiting = 10_000;

/**
 * Parses BibTeX and BibLaTeX. An entry that takes fields from another (`crossref`) is held until that one has been read.
 *
 * Own code: the packages of the registry take a whole file at once, and the one that reads TeX best brings 40 others.
 */
export class BibtexParser implements BookParser<string> {
  readonly #splitter = new EntrySplitter();
  readonly #macros = createMacros();
  /** The latest entries, and those that others wait for: the fields that can be inherited. */
  readonly #recent = new Map<string, Entry>();
  readonly #awaited = new Map<string, Entry | undefined>();
  readonly #waiting: { entry: Entry; parent: string; record: number; original: string }[] = [];
  #record = 0;

  get cut(): Cut | undefined {
    return this.#splitter.isOpen ? { at: 'bibtex', number: this.#record } : undefined;
  }

  *push(piece: string): Generator<ParsedBook> {
    for (const entry of this.#splitter.push(piece)) yield* this.#take(entry);
    if (this.#splitter.pendingLength > maxRecordLength)
      throw new FileError({ code: 'fileRecordTooLong', format: 'bibtex', record: this.#record });
  }

  *end(): Generator<ParsedBook> {
    for (const entry of this.#splitter.end()) yield* this.#take(entry);
    if (this.cut !== undefined) return; // The missing part may have what they wait for.
    for (const { entry, parent, record, original } of this.#waiting) {
      const found = this.#find(parent);
      const problem = { code: 'crossref', key: parent } as const;
      yield { ...(found ? readBibtexEntry(entry, found) : { problem }), record, original };
    }
  }

  *#take({ text, isDamaged }: EntryText): Generator<ParsedBook> {
    const original = text.trim();
    const entry = isDamaged ? ({ code: 'braces' } as const) : this.#read(text);
    if ('code' in entry) {
      yield { problem: entry, record: ++this.#record, original };
      return;
    }
    if (['comment', 'preamble', 'string'].includes(entry.type)) return;
    const record = ++this.#record;
    this.#keep(entry);
    const parent = parentOf(entry);
    const isMissing = inherited.some((names) => names.every((name) => !entry.fields.has(name)));
    const found = parent === undefined ? undefined : this.#find(parent);
    if (parent !== undefined && isMissing && found === undefined && this.#waiting.length < maxWaiting) {
      this.#waiting.push({ entry, parent, record, original });
      this.#awaited.set(parent, undefined);
    } else yield { ...readBibtexEntry(entry, found), record, original };
  }

  #keep(entry: Entry): void {
    const key = entry.key.toLowerCase();
    if (key === '') return;
    if (this.#awaited.has(key)) this.#awaited.set(key, this.#awaited.get(key) ?? withoutTexts(entry));
    this.#recent.set(copy(key), withoutTexts(entry));
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > maxRecent && oldest !== undefined) this.#recent.delete(oldest);
  }

  #find(key: string): Entry | undefined {
    return this.#awaited.get(key) ?? this.#recent.get(key);
  }

  /** An entry, or why it cannot be read. */
  #read(text: string): Entry | RowProblem {
    try {
      return readEntry(text, this.#macros);
    } catch (error) {
      if (error instanceof RowError) return error.problem;
      throw error;
    }
  }
}

/** The key of the entry whose fields fill those that are missing. */
function parentOf({ fields }: Entry): string | undefined {
  const value = fields.get('crossref');
  return value !== undefined && 'tex' in value ? value.tex.trim().toLowerCase() : undefined;
}

/** Copies only the fields that others inherit: a part of a string would hold the whole in memory. */
function withoutTexts(entry: Entry): Entry {
  const fields = inherited.flat().flatMap((name) => {
    const value = entry.fields.get(name);
    return value === undefined || 'undefinedMacro' in value
      ? []
      : [[name, { tex: copy(value.tex) }] as const];
  });
  return { type: '', key: '', fields: new Map<string, { tex: string }>(fields) };
}

function copy(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}
