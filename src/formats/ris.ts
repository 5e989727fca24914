import { LineSplitter } from '../lib/json.ts';
import { type Cut, FileError } from './problems.ts';
import {
  type BookParser,
  exactCopy,
  maxRecordLength,
  needsExactCopy,
  noTitle,
  partCost,
  type ParsedBook,
  type ReadRecord,
} from './record.ts';
import type { Book, BookFields } from '../catalogue/book.ts';
import { type FieldName, fieldNames } from '../catalogue/fields.ts';
import { joinAuthors, splitAuthors, toInverted, toNatural } from './author-names.ts';
import { oneLine, withoutSortMarks, yearOf } from './text.ts';

/** How a dialect writes a field: the RIS tag of a line and its value; `undefined` for a line without a tag. */
type ReadLine = (line: string) => RisLine | undefined;

const risLine = /^([A-Z][A-Z0-9]) {0,2}-(?: (.*))?$/s;
const endnoteLine = /^%([0-9A-Z!?@$&()*+<>=[\]^~])(?: (.*))?$/s;
/** The RIS tags of those of EndNote (https://en.wikipedia.org/wiki/EndNote#Tags_and_fields) that have the fields of a book. */
const endnoteTags: Readonly<Record<string, string>> = {
  0: 'TY',
  T: 'TI',
  A: 'AU',
  E: 'ED',
  D: 'PY',
  8: 'DA',
};

const readers: Readonly<Record<'ris' | 'endnote', ReadLine>> = {
  ris(line) {
    const [, tag, value = ''] = risLine.exec(line) ?? [];
    return tag === undefined ? undefined : [tag, value];
  },
  endnote(line) {
    const [, tag, value = ''] = endnoteLine.exec(line) ?? [];
    return tag === undefined ? undefined : [endnoteTags[tag] ?? '', value];
  },
};

/**
 * Parses RIS (https://en.wikipedia.org/wiki/RIS_(file_format)), and the tagged format of EndNote, which has the same fields under
 * other tags. A line without a tag continues the one before it. Some programs write no `ER`: the next `TY` ends a record.
 *
 * Own code: the readers of the registry take a whole file at once.
 */
export class RisParser implements BookParser<string> {
  readonly #splitter = new LineSplitter({ endsAtReturn: true });
  readonly #isEndnote: boolean;
  readonly #read: ReadLine;
  #record = 0;
  /** The lines of the current record; `undefined` between records. */
  #lines: RisLine[] | undefined;
  /** What the records so far end with. */
  readonly #endings = new Set<'TY' | 'ER'>();
  /** Whether an empty line precedes: EndNote begins a record after it where it names no type (`%0`). */
  #isAfterGap = false;
  #text: string[] = [];
  #length = 0;

  constructor(format: 'ris' | 'endnote' = 'ris') {
    this.#isEndnote = format === 'endnote';
    this.#read = readers[format];
  }

  get cut(): Cut | undefined {
    return this.#lines && { at: 'ris', number: this.#record };
  }

  *push(piece: string): Generator<ParsedBook> {
    for (const line of this.#splitter.push(piece)) yield* this.#take(line.text);
    if (this.#length + this.#splitter.pendingLength > maxRecordLength)
      throw new FileError({
        code: 'fileRecordTooLong',
        format: this.#isEndnote ? 'other' : 'ris',
        record: this.#record,
      });
  }

  *end(): Generator<ParsedBook> {
    const last = this.#splitter.rest().text;
    yield* this.#take(last);
    if (this.#lines !== undefined && this.#isWhole(this.#lines, last)) yield this.#complete(this.#lines);
    if (this.#record > 0) return;
    throw new FileError({ code: 'otherFormat', format: 'ris' });
  }

  *#take(line: string): Generator<ParsedBook> {
    const trimmed = line.trimEnd();
    const found = this.#read(trimmed);
    const tag = found?.[0];
    if (tag === 'TY' || (this.#isEndnote && tag !== undefined && this.#isBetween())) {
      if (this.#lines !== undefined) {
        this.#endings.add('TY');
        yield this.#complete(this.#lines);
      }
      this.#record++;
      this.#lines = [];
    }
    this.#isAfterGap = trimmed === '';
    if (this.#lines === undefined || trimmed === '') return; // What is between records is a comment.
    this.#text.push(line);
    this.#length += line.length + partCost;
    if (tag === 'ER') {
      this.#endings.add('ER');
      yield this.#complete(this.#lines);
    } else if (found !== undefined) this.#lines.push(found);
    else this.#continue(line);
  }

  /** Whether the last record of a file without `ER` is not cut off: it has a title, and ends with its line. */
  #isWhole(lines: readonly RisLine[], last: string): boolean {
    if (this.#isEndnote || (this.#endings.has('TY') && !this.#endings.has('ER'))) return true;
    return this.#endings.size === 0 && last === '' && 'fields' in readRisRecord(lines);
  }

  /** Whether the next tag begins a record of EndNote without a type. */
  #isBetween(): boolean {
    return this.#lines === undefined || (this.#isAfterGap && !this.#lines.some(([tag]) => tag === 'TY'));
  }

  #continue(line: string): void {
    const [tag, value] = this.#lines?.pop() ?? ['', ''];
    this.#lines?.push([tag, `${value} ${line.trim()}`]);
  }

  #complete(lines: readonly RisLine[]): ParsedBook {
    const original = this.#text.join('\n');
    this.#lines = undefined;
    this.#text = [];
    this.#length = 0;
    return { ...readRisRecord(lines), record: this.#record, original };
  }
}

/** Begins the value of `U1`, a field for users, that has the exact copy of a book. */
const exactPrefix = 'shelflist: ';

function readRisRecord(lines: readonly RisLine[]): ReadRecord {
  const plain = readPlainLines(lines);
  const copy = lines.find(([tag, value]) => tag === 'U1' && value.startsWith(exactPrefix))?.[1];
  if (copy === undefined) return plain;
  const exact = exactCopy(parse(copy.slice(exactPrefix.length)), plain, (book) =>
    readPlainLines(writePlainLines(book)),
  );
  return exact === undefined ? plain : { fields: exact };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * A book as a record of RIS. Where reading it back would not give the same book, because of a line break or a name that
 * splits in another way, `U1` has an exact copy.
 */
export function writeRisRecord(book: Book, withId: boolean): string {
  const plain = writePlainLines(book);
  const copy = needsExactCopy(book, readPlainLines(plain));
  const lines: RisLine[] = [
    ['TY', 'BOOK'],
    ...(withId ? [['ID', String(book.id)] as const] : []),
    ...plain,
    ...(copy === undefined ? [] : [['U1', exactPrefix + JSON.stringify(copy)] as const]),
    ['ER', ''],
  ];
  return `${lines.map(([tag, value]) => `${tag}  - ${value}\r\n`).join('')}\r\n`;
}

type RisLine = readonly [tag: string, value: string];

/** The lines of each field that any program reads. */
const plainLines: Readonly<Record<FieldName, (book: BookFields) => RisLine[]>> = {
  title: ({ title }) => [['TI', oneLine(title)]],
  author: ({ author }) => splitAuthors(author).map((name) => ['AU', toInverted(name)]),
  year: ({ year }) => (year === 0 ? [] : [['PY', String(year)]]),
};

function writePlainLines(book: BookFields): RisLine[] {
  return fieldNames.flatMap((name) => plainLines[name](book));
}

/** Reads the lines that any program writes. */
function readPlainLines(lines: readonly RisLine[]): ReadRecord {
  const valuesOf = (...tags: string[]) =>
    lines.filter(([tag, value]) => tags.includes(tag) && value.trim() !== '').map(([, value]) => value);
  const [title] = ['TI', 'T1', 'CT', 'BT'].flatMap((tag) => valuesOf(tag));
  if (title === undefined) return { problem: noTitle };
  const [date = ''] = ['PY', 'DA', 'Y1']
    .flatMap((tag) => valuesOf(tag))
    .map(yearPart)
    .filter(Boolean);
  const authors = valuesOf('AU', 'A1').map(toNatural);
  // `A2` has the editors of a series if the record is a book.
  const isBook = lines.some(([tag, value]) => tag === 'TY' && /BOOK/i.test(value));
  const editors = ['ED', isBook ? 'A3' : 'A2'].map((tag) => valuesOf(tag).map(toNatural));
  const fields = {
    title: withoutSortMarks(oneLine(title)),
    author: joinAuthors([authors, ...editors].find(({ length }) => length > 0) ?? []),
    year: yearOf(date),
  };
  return { fields };
}

/** The year of `1999/10/20/Spring`; empty for `///Spring`. Another date, such as `10/20/1999` of EndNote, stays whole. */
function yearPart(date: string): string {
  return /^(?:\d{4})?\//.test(date) ? (date.split('/', 1)[0] ?? '') : date;
}
