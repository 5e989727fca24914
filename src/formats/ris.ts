import { LineSplitter } from '../lib/json.ts';
import { type Cut, FileError } from './problems.ts';
import {
  type BookParser,
  exactCopy,
  maxRecordLength,
  needsExactCopy,
  noTitle,
  type ParsedBook,
  type ReadRecord,
} from './record.ts';
import { type Book, type BookFields, fillFields } from '../catalogue/book.ts';
import { joinAuthors, oneLine, splitAuthors, toInverted, toNatural, yearOf } from './text.ts';

const linePattern = /^([A-Z][A-Z0-9]) {0,2}-(?: (.*))?$/s;

/**
 * Parses RIS (https://en.wikipedia.org/wiki/RIS_(file_format)). A line without a tag continues the one before it.
 *
 * Own code: the readers of the registry take a whole file at once.
 */
export class RisParser implements BookParser<string> {
  readonly #splitter = new LineSplitter();
  #record = 0;
  /** The lines of the current record; `undefined` between records. */
  #lines: RisLine[] | undefined;
  #text: string[] = [];
  #length = 0;

  get cut(): Cut | undefined {
    return this.#lines && { at: 'ris', number: this.#record };
  }

  *push(piece: string): Generator<ParsedBook> {
    // An empty line means nothing, so each of the two characters may end a line.
    for (const { text } of this.#splitter.push(piece.replaceAll('\r', '\n'))) yield* this.#take(text);
    if (this.#length + this.#splitter.pendingLength > maxRecordLength)
      throw new FileError({ code: 'fileRecordTooLong', format: 'ris', record: this.#record });
  }

  *end(): Generator<ParsedBook> {
    yield* this.#take(this.#splitter.rest().text);
    if (this.#record > 0) return;
    throw new FileError({ code: 'otherFormat', format: 'ris' });
  }

  *#take(line: string): Generator<ParsedBook> {
    const [, tag, value = ''] = linePattern.exec(line.trimEnd()) ?? [];
    if (tag === 'TY') {
      if (this.#lines !== undefined) yield this.#complete({ problem: { code: 'noEr' } });
      this.#record++;
      this.#lines = [['TY', value]];
    }
    if (this.#lines === undefined || line.trim() === '') return; // What is between records is a comment.
    this.#text.push(line);
    this.#length += line.length;
    if (tag === 'ER') yield this.#complete(readRisRecord(this.#lines));
    else if (tag !== undefined) this.#lines.push([tag, value]);
    else this.#continue(line);
  }

  #continue(line: string): void {
    const [tag, value] = this.#lines?.pop() ?? ['', ''];
    this.#lines?.push([tag, `${value} ${line.trim()}`]);
  }

  #complete(read: ReturnType<typeof readRisRecord>): ParsedBook {
    const original = this.#text.join('\n');
    this.#lines = undefined;
    this.#text = [];
    this.#length = 0;
    return { ...read, record: this.#record, original };
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

/** The lines that any program reads, without those that begin and end a record. */
function writePlainLines({ title, author, year }: BookFields): RisLine[] {
  return [
    ['TI', oneLine(title)],
    ...splitAuthors(author).map((name): RisLine => ['AU', toInverted(name)]),
    ...(year === 0 ? [] : [['PY', String(year)] as const]),
  ];
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
  const fields = fillFields({
    title: oneLine(title),
    author: joinAuthors([authors, ...editors].find(({ length }) => length > 0) ?? []),
    year: yearOf(date),
  });
  return { fields };
}

/** The year of `1999/10/20/Spring`; empty for `///Spring`. */
function yearPart(date: string): string {
  return date.split('/', 1)[0] ?? '';
}
