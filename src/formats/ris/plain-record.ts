import { fillFields, type BookFields } from '../../catalogue/book.ts';
import { noTitle, type ReadRecord } from '../parsed-book.ts';
import { joinAuthors, splitAuthors, toInverted, toNatural } from '../text/names.ts';
import { oneLine } from '../text/title.ts';
import { yearOf } from '../text/year.ts';

/** A line of RIS: a tag and its value. */
export type RisLine = readonly [tag: string, value: string];

/** The lines that any program reads, without those that begin and end a record. */
export function writePlainLines({ title, author, year }: BookFields): RisLine[] {
  return [
    ['TI', oneLine(title)],
    ...splitAuthors(author).map((name): RisLine => ['AU', toInverted(name)]),
    ...(year === 0 ? [] : [['PY', String(year)] as const]),
  ];
}

/** Reads the lines that any program writes. */
export function readPlainLines(lines: readonly RisLine[]): ReadRecord {
  const valuesOf = (...tags: string[]) =>
    lines.filter(([tag, value]) => tags.includes(tag) && value.trim() !== '').map(([, value]) => value);
  const [title] = ['TI', 'T1', 'CT', 'BT'].flatMap((tag) => valuesOf(tag));
  if (title === undefined) return { reason: noTitle };
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
