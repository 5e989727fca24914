import { fieldsOf, type Book, type BookFields, type BookPatch } from '../../../../catalogue/book.ts';
import { fieldNames, textFields, type FieldName } from '../../../../catalogue/fields.ts';
import { requiredField } from '../../../../catalogue/import/columns.ts';
import { plain } from '../../../io.ts';
import { changedFields, digestOf } from '../../../../formats/revision.ts';

/** A row that stands for a book. */
export interface MatchedRow {
  id: number;
  /** The digest of the book when the row was exported. */
  digest: string;
  /** The fields for which the file has a column. */
  given: readonly FieldName[];
  fields: BookFields;
}

/** What is to be done with a book: nothing, a change, or nothing because of a reason. */
export type Comparison = 'unchanged' | { patch: BookPatch } | { reason: string };

/** Compares a row with the book as it is now. */
export function compare({ id, digest, given, fields }: MatchedRow, now: Book): Comparison {
  const wanted = { ...fieldsOf(now), ...pick(fields, given) };
  const patch = changedFields(now, wanted);
  const changed = fieldNames.filter((name) => patch[name] !== undefined);
  if (changed.length === 0) return 'unchanged';
  if (digestOf(now) !== digest) return { reason: conflict(id, changed, now) };
  if (changed.includes(requiredField) && fields[requiredField].trim() === '')
    return { reason: `it has no ${requiredField}` };
  const lost = textFields.find((name) => hasLostCharacters(now[name], wanted[name]));
  if (lost !== undefined) return { reason: `its ${lost} has lost characters; save the file as "CSV UTF-8"` };
  return { patch };
}

/** Says that somebody else has changed the book, and how it differs from the row. */
function conflict(id: number, changed: readonly FieldName[], now: Book): string {
  const values = changed.map((name) => `its ${name} is now ${shown(now[name])}`);
  return `book ${id} has changed since the export: ${values.join(', ')}`;
}

/** A change in a message: `year 1815 -> 1816`. */
export function describeChange(now: Book, patch: BookPatch): string {
  const changed = fieldNames.filter((name) => patch[name] !== undefined);
  return changed.map((name) => `${name} ${shown(now[name])} -> ${shown(patch[name])}`).join(', ');
}

function shown(value: string | number | undefined): string {
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(plain(value.length > maxShown ? `${value.slice(0, maxShown)}…` : value));
}

const maxShown = 60;

function pick(book: BookFields, names: readonly FieldName[]): BookPatch {
  return Object.fromEntries(names.map((name) => [name, book[name]]));
}

/** Whether a text differs only in that question marks replace characters, as a program does whose encoding lacks them. */
function hasLostCharacters(before: string, after: string): boolean {
  if (before === after || before.length !== after.length || !after.includes('?')) return false;
  for (let at = 0; at < before.length; at++) {
    const unit = before.charCodeAt(at);
    if (unit !== after.charCodeAt(at) && !(unit > 0x7f && after[at] === '?')) return false;
  }
  return true;
}
