import { fieldNames, type FieldName } from '../fields.ts';
import { foldText } from '../fold.ts';
import { importHeaders } from './headers.ts';

/** The field without which a row is not imported. */
export const requiredField = 'title' satisfies FieldName;

/** The columns that a user named, by field. */
export type Chosen = Partial<Record<FieldName, string>>;

/** Where a field is found in a file. */
export interface Column {
  /** The name as the file spells it. */
  name: string;
  /** The place in a CSV row, counted from 0. */
  at: number;
  /** The place of the column that fills empty cells. */
  instead?: number;
  /** What separates the elements of its cells, if they are lists. */
  separator?: string;
}

export type Mapping = Partial<Record<FieldName, Column>>;

/** Finds the columns that are present: those that the user chose, else those with known headers. */
export function findColumns(header: readonly string[], chosen: Chosen): Mapping {
  const folded = header.map(foldText);
  const mapping: Mapping = {};
  for (const name of fieldNames) {
    const wanted = chosen[name];
    const at = wanted === undefined ? findKnown(folded, name) : findChosen(header, folded, wanted);
    if (at < 0) continue;
    const { fallbackHeaders, separators } = importHeaders[name];
    const key = folded[at] ?? '';
    const instead = folded.indexOf(fallbackHeaders?.[key] ?? '\0');
    const separator = separators?.[key];
    mapping[name] = {
      name: header[at] ?? '',
      at,
      ...(instead >= 0 && { instead }),
      ...(separator !== undefined && { separator }),
    };
  }
  return mapping;
}

/** The text of a cell. The elements of a list are joined by semicolons: names such as `Austen, Jane` have commas. */
export function cellOf(text: string, column: Column | undefined): string {
  if (column?.separator === undefined) return text;
  const elements = text.split(column.separator).map((element) => element.trim());
  return elements.filter((element) => element !== '').join('; ');
}

function findKnown(folded: readonly string[], name: FieldName): number {
  const { headers } = importHeaders[name];
  return folded.indexOf(headers.find((each) => folded.includes(each)) ?? '\0');
}

/** Prefers the exact spelling; else ignores case, accents and punctuation. */
function findChosen(header: readonly string[], folded: readonly string[], wanted: string): number {
  if (header.includes(wanted)) return header.indexOf(wanted);
  return folded.indexOf(foldText(wanted) || '\0');
}
