import type { Book } from '../../catalogue/book.ts';
import type { ReadRecord } from '../parsed-book.ts';
import { exactCopy, needsExactCopy } from '../write/exact.ts';
import { readPlainLines, writePlainLines, type RisLine } from './plain-record.ts';

/** Begins the value of `U1`, a field for users, that has the exact copy of a book. */
const exactPrefix = 'shelflist: ';

/** Reads the lines of a record. */
export function readRisRecord(lines: readonly RisLine[]): ReadRecord {
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
