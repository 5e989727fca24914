import type { BookFields } from '../../../../catalogue/book.ts';
import { fieldNames, fields, type FieldName } from '../../../../catalogue/fields.ts';
import { parseRecord, type RecordProblem } from '../../../../catalogue/import/record.ts';

/** The fields of a row, or why it is not a book. */
export type Parsed = { fields: BookFields } | { reason: string };

/**
 * Reads the values of a row.
 *
 * @param mayLackTitle Whether a blank title is a title.
 * @param needsYear Whether each integer is required.
 */
export function readRecord(
  valueOf: (name: FieldName) => unknown,
  mayLackTitle: boolean,
  needsYear = false,
): Parsed {
  const parsed = parseRecord(valueOf, mayLackTitle);
  if ('problem' in parsed) return { reason: describe(parsed.problem) };
  return needsYear ? requireYear(parsed.fields) : parsed;
}

/** Refuses a book without a year. */
export function requireYear(book: BookFields): Parsed {
  const lacking = integerFields.find((name) => book[name] === 0);
  return lacking === undefined ? { fields: book } : { reason: describe({ field: lacking }) };
}

const integerFields = fieldNames.filter((name) => fields[name].type === 'integer');

function describe({ field, shown }: RecordProblem): string {
  if (shown === undefined) return `it has no ${field}`;
  return `its ${field} is not ${fields[field].type === 'integer' ? 'understood' : 'text'}: ${shown}`;
}
