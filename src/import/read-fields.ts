// The values of a row to the fields of a book.
import { fieldNames, fields, nameField, type BookFields, type FieldName } from '../catalogue/fields.ts';
import type { FieldProblem, RowProblem } from '../formats/problems.ts';
import { parseLibraryYear } from '../formats/year.ts';

/** The fields of a row, or why it is not a book. */
export type ReadFields<Problem = RowProblem> =
  { readonly fields: BookFields } | { readonly problem: Problem };

/**
 * Reads the values of a row. Texts are kept as they are, except that a list of texts is joined.
 *
 * @param mayLackTitle Whether a blank title is accepted.
 * @param needsYear Whether a book without a year is refused.
 */
export function readFields(
  valueOf: (name: FieldName) => unknown,
  mayLackTitle: boolean,
  needsYear = false,
): ReadFields<FieldProblem> {
  const result: Partial<Record<FieldName, string | number>> = {};
  for (const name of fieldNames) {
    const value = valueOf(name) ?? undefined;
    const isBlank = value === undefined || (typeof value === 'string' && value.trim() === '');
    if (name === nameField && isBlank && (value === undefined || !mayLackTitle))
      return { problem: { code: 'missing', field: name } };
    const isInteger = fields[name].type === 'integer';
    const parsed = isInteger ? parseInteger(value) : parseText(value, name !== nameField);
    if (parsed === undefined)
      return {
        problem: { code: isInteger ? 'notUnderstood' : 'notText', field: name, shown: shown(value) },
      };
    result[name] = parsed;
  }
  return needsYear ? requireYear(result as BookFields) : { fields: result as BookFields };
}

/** Refuses a book without a year. */
export function requireYear(book: BookFields): ReadFields<FieldProblem> {
  const field = integerFields.find((name) => book[name] === 0);
  return field === undefined ? { fields: book } : { problem: { code: 'missing', field } };
}

const integerFields = fieldNames.filter((name) => fields[name].type === 'integer');

/** A value for a message, however long or deep it is. */
export function shown(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? '[…]' : '{…}';
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 80) : value);
  return typeof value === 'string' && value.length > 80 ? `${text}…` : text;
}

function parseText(value: unknown, mayBeList: boolean): string | undefined {
  if (value === undefined) return '';
  if (!mayBeList || !Array.isArray(value)) return typeof value === 'string' ? value : undefined;
  const names = value.map((item: unknown) => (isNamed(item) ? item.name : item));
  return names.every((name) => typeof name === 'string') ? names.join(', ') : undefined;
}

/** Catalogues write an author as an object with a name. */
export function isNamed(value: unknown): value is { name: unknown } {
  return typeof value === 'object' && value !== null && 'name' in value;
}

/** Reads an integer, which is a year: as text, in any form that libraries use. Blank is 0. */
function parseInteger(value: unknown = ''): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? parseLibraryYear(text) : undefined;
}
