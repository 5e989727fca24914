// The columns that a reader chose in an import, for the next file with the same names of columns.
import { columnParts, type ColumnChoice, type ColumnOverrides } from '../../import/column-parts.ts';
import { asObject, readJson, writeJson } from './signal.ts';

const maxFiles = 20;
/** In characters. A file with longer names of columns is not kept. */
const maxHeader = 2000;

const key = 'columns';

/** The columns that were chosen for these names. */
export function recallColumns(names: readonly string[]): ColumnOverrides | undefined {
  const header = names.join('\n');
  return readAll().find((each) => each.header === header)?.chosen;
}

/** Keeps the columns that were chosen for these names; none chosen: forgets them. */
export function keepColumns(names: readonly string[], chosen: ColumnOverrides): void {
  const header = names.join('\n');
  if (header.length > maxHeader) return;
  const others = readAll().filter((each) => each.header !== header);
  const all = Object.keys(chosen).length === 0 ? others : [{ header, chosen }, ...others];
  writeJson(key, all.slice(0, maxFiles), 'localStorage');
}

/** What is stored, without what another version or program has written. */
function readAll(): { header: string; chosen: ColumnOverrides }[] {
  const stored = readJson(key, 'localStorage');
  return (Array.isArray(stored) ? stored : []).flatMap((each: unknown) => {
    const { header, chosen } = asObject(each);
    return typeof header === 'string' ? [{ header, chosen: choicesIn(chosen) }] : [];
  });
}

function choicesIn(stored: unknown): ColumnOverrides {
  const given = asObject(stored);
  const entries = columnParts.flatMap((part): [string, ColumnOverrides[typeof part]][] => {
    const choice = given[part];
    if (choice === null) return [[part, null]];
    return Array.isArray(choice) && choice.every(isChoice) ? [[part, choice]] : [];
  });
  return Object.fromEntries(entries);
}

const isChoice = (value: unknown): value is ColumnChoice =>
  typeof value === 'string' || (Number.isSafeInteger(value) && Number(value) >= 0);
