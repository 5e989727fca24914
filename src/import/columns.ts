// Finds which columns of a file have which field of a book, by its header or the choice of the user.
import { fieldNames, type FieldName } from '../catalogue/fields.ts';
import { foldText } from '../catalogue/fold.ts';
import { revisionColumn } from '../formats/csv.ts';
import { FileError } from '../formats/problems.ts';
import { joinNames } from '../formats/author-names.ts';
import { joinTitle } from '../formats/text.ts';
import { authorsByHeader, type PersonColumns } from './author-columns.ts';
import { type ColumnChoice, type ColumnOverrides, type ColumnPart, type PartPlaces } from './column-parts.ts';
import { importHeaders, seriesHeaders } from './headers.ts';
import type { FileHeader } from './row.ts';

/** The columns that say which book a row stands for. */
export const keyColumns = ['id', revisionColumn] as const;

/** Where a field is found in a file: one column, or several that are joined. */
export interface Column extends PersonColumns {
  /** The name as the file spells it; of several columns, all of them. */
  name: string;
  /** The place of the column that fills empty cells. */
  instead?: number;
  /** What separates the elements of its cells, if they are lists. */
  separator?: string;
  /** What follows: the volume and the subtitle of a title, or further authors. */
  more?: readonly MoreColumns[];
}

interface MoreColumns extends PersonColumns {
  readonly part: 'subtitle' | 'volume' | 'author';
}

export type Mapping = Partial<Record<FieldName, Column>>;

/** The maximum number of columns of a sheet. */
export const maxColumns = 16_384;

/**
 * Finds the columns that are present: those that the user chose, else those with known headers.
 *
 * @throws {FileError} There are too many: reading their names would take minutes.
 */
export function findColumns(header: readonly string[], chosen: ColumnOverrides): Mapping {
  if (header.length > maxColumns) throw new FileError({ code: 'tooManyColumns', max: maxColumns });
  const folded = header.map(foldHeader);
  const placesOf = (part: ColumnPart) => findPlaces(header, folded, part, chosen[part]);
  const [title, ...titles] = placesOf('title');
  const isOfSeries = chosen.volume === undefined && folded.some((name) => seriesHeaders.includes(name));
  const volumes = isOfSeries ? [] : placesOf('volume');
  const titleParts: MoreColumns[] = [
    ...volumes.map((at) => ({ at, part: 'volume' as const })),
    ...[...titles, ...placesOf('subtitle')].map((at) => ({ at, part: 'subtitle' as const })),
  ];
  const isChosen = [chosen.author, chosen.firstName, chosen.lastName].some((each) => each !== undefined);
  const [author, ...authors] = isChosen ? chosenAuthors(chosen, placesOf) : authorsByHeader(folded, title);
  const [year] = placesOf('year');
  const columns: Record<FieldName, [main: PersonColumns | undefined, more: readonly MoreColumns[]]> = {
    title: [title === undefined ? undefined : { at: title }, titleParts],
    author: [author, authors.map((each) => ({ ...each, part: 'author' }))],
    year: [year === undefined ? undefined : { at: year }, []],
  };
  const mapping: Mapping = {};
  for (const field of fieldNames) {
    const [main, more] = columns[field];
    if (main === undefined) continue;
    const { fallbackHeaders, separators } = importHeaders[field];
    const key = folded[main.at] ?? '';
    const instead = folded.indexOf(fallbackHeaders?.[key] ?? '\0');
    const separator = separators?.[key];
    const names = placesIn({ ...main, more }).map((at) => header[at] ?? '');
    mapping[field] = {
      name: names.join(' + '),
      ...main,
      ...(instead >= 0 && { instead }),
      ...(separator !== undefined && { separator }),
      ...(more.length > 0 && { more }),
    };
  }
  return mapping;
}

/** Longer names of columns are texts. */
const maxHeaderLength = 200;

function foldHeader(name: string): string {
  return foldText(name.slice(0, maxHeaderLength));
}

function findPlaces(
  header: readonly string[],
  folded: readonly string[],
  part: ColumnPart,
  chosen: ColumnOverrides[ColumnPart],
): number[] {
  if (chosen === undefined) {
    const { headers } = importHeaders[part];
    const at = folded.indexOf(headers.find((each) => folded.includes(each)) ?? '\0');
    return at < 0 ? [] : [at];
  }
  return choicesOf(chosen)
    .map((choice) => placeOf(header, folded, choice))
    .filter((at) => at >= 0);
}

export function choicesOf(chosen: ColumnOverrides[ColumnPart]): readonly ColumnChoice[] {
  if (chosen === undefined || chosen === null) return [];
  return typeof chosen === 'object' ? chosen : [chosen];
}

/** Prefers the exact spelling; else ignores case, accents and punctuation. */
function placeOf(header: readonly string[], folded: readonly string[], choice: ColumnChoice): number {
  if (typeof choice === 'number') return choice < header.length ? choice : -1;
  return header.includes(choice) ? header.indexOf(choice) : folded.indexOf(foldHeader(choice) || '\0');
}

/** The first of the chosen columns that a file lacks. */
export function findMissing(header: readonly string[], chosen: ColumnOverrides): ColumnChoice | undefined {
  const folded = header.map(foldHeader);
  const choices = Object.values(chosen).flatMap(choicesOf);
  return choices.find((choice) => placeOf(header, folded, choice) < 0);
}

/** The choices that another row could have, too: those by name. */
export function choicesByName(chosen: ColumnOverrides): ColumnOverrides {
  const entries = Object.entries(chosen).map(([part, each]) => [
    part,
    choicesOf(each).filter((choice) => typeof choice === 'string'),
  ]);
  return Object.fromEntries(entries.filter(([, names = []]) => names.length > 0)) as ColumnOverrides;
}

/** One last name has all first names, such as a middle name; of several, each has its own. */
function chosenAuthors(
  { author, firstName, lastName }: ColumnOverrides,
  placesOf: (part: ColumnPart) => number[],
): PersonColumns[] {
  const whole = author === undefined ? [] : placesOf('author');
  const isNamed = firstName !== undefined || lastName !== undefined;
  const [family, given] = isNamed ? [placesOf('lastName'), placesOf('firstName')] : [[], []];
  const persons = family.map((at, i) => {
    const own = family.length === 1 ? given : given.slice(i, i + 1);
    return own.length === 0 ? { at } : { at, given: own };
  });
  return [...whole.map((at) => ({ at })), ...persons];
}

/** The places of all columns of a field. */
export function placesIn({ at, given = [], instead, more = [] }: Omit<Column, 'name'>): number[] {
  const own = [...given, at, ...(instead === undefined ? [] : [instead])];
  return [...own, ...more.flatMap((each) => [...(each.given ?? []), each.at])];
}

/** The columns of each part, as a user may choose others. What was chosen stays, also where it makes no field yet. */
export function partsIn(mapping: Mapping, header: readonly string[], chosen: ColumnOverrides): PartPlaces {
  const folded = header.map(foldHeader);
  const entries = Object.entries(chosen).map(([part, choice]) => [
    part,
    choicesOf(choice)
      .map((each) => placeOf(header, folded, each))
      .filter((at) => at >= 0),
  ]);
  return { ...foundParts(mapping), ...(Object.fromEntries(entries) as Partial<PartPlaces>) };
}

function foundParts({ title, author, year }: Mapping): PartPlaces {
  const persons = author === undefined ? [] : [author, ...(author.more ?? [])];
  const titleParts = (part: 'subtitle' | 'volume') =>
    (title?.more ?? []).filter((each) => each.part === part).map(({ at }) => at);
  const named = persons.filter(({ given }) => given !== undefined);
  return {
    title: title === undefined ? [] : [title.at],
    subtitle: titleParts('subtitle'),
    volume: titleParts('volume'),
    author: persons.filter(({ given }) => given === undefined).map(({ at }) => at),
    firstName: named.flatMap(({ given = [] }) => given),
    lastName: named.map(({ at }) => at),
    year: year === undefined ? [] : [year.at],
  };
}

/** The columns of a table that no field comes from. Those without a name do not count. */
export function unusedColumns({ mapping, header = [] }: Pick<FileHeader, 'mapping' | 'header'>): string[] {
  const used = new Set(Object.values(mapping).flatMap(placesIn));
  return header.filter((name, at) => !used.has(at) && name.trim() !== '');
}

/** The text of a field: that of its column as it is, or those of several columns joined. */
export function readColumn(column: Column | undefined, textAt: (at: number) => string): string {
  if (column === undefined) return '';
  const { at, instead = -1, given, more = [] } = column;
  const text = splitCell(textAt(at) || textAt(instead), column.separator);
  const isOfPersons = given !== undefined || more.some(({ part }) => part === 'author');
  if (isOfPersons) return joinPersons(text, column, textAt);
  return text.trim() === '' ? text : more.reduce((title, each) => addPart(title, each, textAt), text);
}

/** The elements of a list are joined by semicolons: names such as `Austen, Jane` have commas. */
function splitCell(text: string, separator: string | undefined): string {
  if (separator === undefined) return text;
  const elements = text.split(separator).map((element) => element.trim());
  return elements.filter((element) => element !== '').join('; ');
}

function joinPersons(
  text: string,
  { given = [], more = [] }: Column,
  textAt: (at: number) => string,
): string {
  const person = (first: readonly number[], last: string) =>
    [...first.map(textAt), last]
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .join(' ');
  const persons = [person(given, text), ...more.map((each) => person(each.given ?? [], textAt(each.at)))];
  const names = persons.filter((name) => name !== '');
  return joinNames(names);
}

/** Whether a text ends with another, as whole words: `Area 51` does not end with `1`. */
function hasAtEnd(text: string, end: string): boolean {
  return text.endsWith(end) && !/[\p{L}\p{N}]$/u.test(text.slice(0, text.length - end.length));
}

/** A title may have its subtitle already. */
function addPart(title: string, { at, part }: MoreColumns, textAt: (at: number) => string): string {
  const [own, added] = [title.trim(), textAt(at).trim()];
  if (added === '' || hasAtEnd(own, added)) return title;
  if (part === 'subtitle') return joinTitle(own, added);
  return /[.!?…]$/.test(own) ? `${own} ${added}` : `${own}. ${added}`;
}
