// The cells of a table to rows: what CSV and the sheets of Excel share.
import { fieldNames, nameField, yearField, type FieldName } from '../catalogue/fields.ts';
import { foldText } from '../catalogue/fold.ts';
import { exportColumns, isEscaped, maxLinesToHeader, unescapeCell } from '../formats/csv.ts';
import type { MergedCell } from '../formats/merged-cells.ts';
import type { RowNote, RowProblem, Unit } from '../formats/problems.ts';
import { withoutSortMarks } from '../formats/text.ts';
import type { ColumnOverrides } from './column-parts.ts';
import {
  choicesByName,
  choicesOf,
  findColumns,
  keyColumns,
  maxColumns,
  placesIn,
  readColumn,
} from './columns.ts';
import { hasId, yearRuleOf } from './match.ts';
import { readFields } from './read-fields.ts';
import type { BookRow, ReadOptions, FileHeader } from './row.ts';

/** A row of a table. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** What the cells show, which is their text; a year is read from their values. Default: the same. */
  readonly display?: readonly string[];
  /** Why the cell at a place has no value of a field, if so. Cells that no field comes from do no harm. */
  readonly problemOf: (field: FieldName, at: number) => RowProblem | undefined;
  /** Whether a blank title at a place is meant, as in an export. */
  readonly isTitleMeant: (at: number) => boolean;
  /** The cells that repeat the value of one above, which they are merged with. */
  readonly merged?: readonly MergedCell[];
}

/** A year as exports write it: any number, which is read exactly. */
const integer = /^-?\d+$/;

/** The columns to look for. Without a header, the fields are in the first columns, unless they are chosen. */
function columnsToFind({ chosen = {}, isHeadless = false }: ReadOptions): ColumnOverrides {
  return isHeadless ? { ...Object.fromEntries(fieldNames.map((name, at) => [name, at])), ...chosen } : chosen;
}

/**
 * Finds the columns in the header, and returns the reader of the other rows.
 *
 * @param first The cells of the first row.
 */
export function createTableReader(
  first: readonly string[],
  unit: Unit,
  options: ReadOptions,
  more: Pick<FileHeader, 'sheet' | 'sheets' | 'headerLine'> = {},
) {
  const { isMatched = false, isHeadless = false, needsYear, onStart } = options;
  const header = isHeadless ? first.map((_, i) => String(i + 1)) : first;
  const mapping = findColumns(header, columnsToFind(options));
  const [id = -1, revision = -1] = keyColumns.map((name) => header.map(foldText).indexOf(name));
  const isExport = header.join('\n') === exportColumns(id === 0, revision !== -1).join('\n');
  const present = fieldNames.filter((name) => mapping[name] !== undefined);
  const placesOfFields = present.map((name) => [name, placesIn(mapping[name] ?? { at: -1 })] as const);
  onStart({ mapping, header, looksHeadless: looksHeadless(first), ...more });
  return ({ line, cells, display = cells, problemOf, isTitleMeant, merged = [] }: TableRow): BookRow => {
    const row = { line, unit, original: cells };
    if (cells.length > header.length && cells.slice(header.length).some((cell) => cell !== ''))
      return { ...row, problem: { code: 'cells', cells: cells.length, columns: header.length } };
    const read = isEscaped(cells[revision]) ? unescapeCell : (text: string) => text;
    const cell = (name: FieldName) => {
      const source = name === yearField ? cells : display;
      const text = readColumn(mapping[name], (at) => read(source[at] ?? ''));
      return isExport || isMatched || name !== nameField ? text : withoutSortMarks(text);
    };
    const key = isMatched ? { id: cells[id], revision: cells[revision], given: present } : undefined;
    const firstProblem = (name: FieldName, places: readonly number[]) => {
      const { at = -1, instead } = mapping[name] ?? {};
      // The column that fills empty cells counts only there.
      const unused = cells[at] ? instead : at;
      for (const each of places) {
        const problem = each === unused ? undefined : problemOf(name, each);
        if (problem !== undefined) return problem;
      }
      return undefined;
    };
    const yearRule = yearRuleOf(needsYear, key);
    const notes: RowNote[] = [];
    for (const [name, places] of placesOfFields) {
      const problem = firstProblem(name, places);
      if (problem?.code === 'notUnderstood' && name === yearField && yearRule === 'any')
        notes.push({ code: 'yearLeftOut', shown: problem.shown });
      else if (problem !== undefined) return { ...row, problem };
    }
    const isYearLeftOut = notes.length > 0;
    for (const [name, places] of placesOfFields)
      if (merged.some(({ at }) => places.includes(at))) notes.push({ code: 'mergedCell', field: name });
    const valueOf = (name: FieldName) => {
      if (name !== yearField) return cell(name);
      const text = isYearLeftOut ? '' : cell(name);
      return isExport && integer.test(text) ? Number(text) : text;
    };
    const mayLackTitle = hasId(key) || (isExport && isTitleMeant(id === 0 ? 1 : 0));
    return { ...row, ...(key && { key }), ...readFields(valueOf, mayLackTitle, yearRule, notes) };
  };
}

function looksHeadless(cells: readonly string[]): boolean {
  const isKnown = cells.some((cell) => keyColumns.some((name) => name === foldText(cell)));
  if (isKnown || Object.keys(findColumns(cells, {})).length > 0) return false;
  return cells.some((cell) => /^\s*-?\d{1,4}(\.0)?\s*$/.test(cell));
}

/** The header of a table, and the rows below it that were read already. */
export interface FoundHeader<Row> {
  readonly first: Row;
  readonly rows: readonly Row[];
  /** Whether rows stand above it. */
  readonly isBelow: boolean;
}

/** Finds the header: the first row, unless one of the next ones names columns, below a title of the table. */
export class HeaderSearch<Row extends { readonly cells: readonly string[] }> {
  readonly #options: ReadOptions;
  readonly #held: Row[] = [];

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** Takes the next row; returns the header once it is known. */
  push(row: Row): FoundHeader<Row> | undefined {
    const [first] = this.#held;
    if (this.#options.isHeadless === true) return { first: row, rows: [row], isBelow: false };
    if (first === undefined && namesColumns(row.cells, this.#options))
      return { first: row, rows: [], isBelow: false };
    if (first !== undefined && namesColumns(row.cells, this.#options, this.#held))
      return { first: row, rows: [], isBelow: true };
    this.#held.push(row);
    return this.#held.length < maxLinesToHeader ? undefined : this.end();
  }

  end(): FoundHeader<Row> | undefined {
    const [first, ...rows] = this.#held;
    return first && { first, rows, isBelow: false };
  }
}

/**
 * Whether the cells of a row name columns: a title, or two fields; below other rows, a title and another field, or a title alone
 * where no row above has several cells.
 */
export function namesColumns(
  cells: readonly string[],
  { chosen = {}, isMatched = false, isHeadless = false }: ReadOptions,
  above: readonly { readonly cells: readonly string[] }[] = [],
): boolean {
  if (isHeadless || cells.length > maxColumns) return true;
  if (isMatched && cells.some((cell) => foldText(cell.slice(0, maxKeyLength)) === keyColumns[0])) return true;
  const mapping = findColumns(cells, choicesByName(chosen));
  const found = Object.keys(mapping).length;
  if (above.length === 0) return mapping.title !== undefined || found > 1;
  const isLetterhead = above.every((row) => row.cells.filter((cell) => cell.trim() !== '').length < 2);
  return mapping.title !== undefined && (found > 1 || isLetterhead);
}

const maxKeyLength = 20;

/** How many columns a table has at least, if those are in it that were chosen by number. Without a header, numbers are names. */
export function leastColumns(options: ReadOptions): number {
  const choices = Object.values(columnsToFind(options)).flatMap(choicesOf);
  const counts = choices.map((choice) => {
    if (typeof choice === 'number') return choice + 1;
    return (options.isHeadless === true && Number(choice)) || 1;
  });
  return Math.max(1, ...counts);
}
