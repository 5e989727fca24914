import { ShelflistError } from './errors.ts';
import {
  fieldNames,
  fields,
  listFields,
  mapFields,
  textFields,
  type BookFields,
  type FieldName,
} from './fields.ts';

export type { BookFields } from './fields.ts';

/** A stored book. `id` is assigned by the service: 1, 2, 3, …, never used twice, at most 2^53-1. */
export interface Book extends BookFields {
  /** Its id, from 1 to 2^53-1, which never changes. */
  id: number;
}

/** The fields to change; the others keep their value. */
export type BookPatch = Partial<BookFields>;

const emptyValues = { text: '', integer: 0 } as const;
const emptyFields = /* @__PURE__ */ mapFields(
  fieldNames,
  (name) => emptyValues[fields[name].type],
) as BookFields;

/** A book for examples: the examples of all fields. */
export const exampleBook: Readonly<BookFields> = /* @__PURE__ */ mapFields(
  fieldNames,
  (name) => fields[name].example,
) as BookFields;

/**
 * Parses book fields from untrusted JSON: an object whose members have the types of the fields. Each field is optional, and
 * `undefined` counts as missing. Other members are ignored, including `id`.
 *
 * @throws {ShelflistError} `invalid_input`, naming the field.
 */
export function parseBookPatch(value: unknown): BookPatch {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`a book is a JSON object with ${listFields()}`);
  const patch: Record<string, string | number> = {};
  for (const name of fieldNames) {
    const given = (value as Record<string, unknown>)[name];
    if (given !== undefined) patch[name] = parseField(name, given);
  }
  return patch;
}

/** Parses the fields of a new book. Missing ones get the empty value of their type (`''`, `0`). */
export function parseBookFields(value: unknown): BookFields {
  return fillFields(parseBookPatch(value));
}

/** The fields of a book, with empty values for those that are missing. */
export function fillFields(patch: BookPatch): BookFields {
  return { ...emptyFields, ...patch };
}

function parseField(name: FieldName, value: unknown): string | number {
  if (fields[name].type === 'integer') {
    if (!isInteger(value)) throw invalid(`${name} is not an integer from -(2^53-1) to 2^53-1`);
    return value + 0; // -0 + 0 is 0: JSON has no other zero.
  }
  if (typeof value !== 'string') throw invalid(`${name} is not a string`);
  // Neither UTF-8 nor a store can hold a lone surrogate.
  if (!value.isWellFormed()) throw invalid(`${name} is not Unicode text: it contains half a surrogate pair`);
  return value;
}

function invalid(message: string): ShelflistError {
  return new ShelflistError('invalid_input', { message });
}

/** Parses an id: canonical decimal from 1 to 2^53-1 (`7`, not `07`, `+7` or `7.0`). */
export function parseId(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : undefined;
}

/** A book from an untrusted value (a stored record, a response), without other members; `undefined` if it is not a book. */
export function toBook(value: unknown): Book | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const record = value as Record<string, unknown>;
  if (!isId(record.id)) return undefined;
  const book: Record<string, unknown> = { id: record.id };
  for (const name of fieldNames) {
    const given = record[name];
    if (!(fields[name].type === 'integer' ? isInteger(given) : typeof given === 'string')) return undefined;
    book[name] = given;
  }
  return book as unknown as Book;
}

/** The length of the texts of a book, in UTF-16 code units. */
export function textLength(book: BookFields): number {
  return textFields.reduce((sum, name) => sum + book[name].length, 0);
}

/** A copy of the fields of a book. */
export function fieldsOf(book: BookFields): BookFields {
  return mapFields(fieldNames, (name) => book[name]) as BookFields;
}

/** Whether two books have the same contents. */
export function hasSameFields(a: BookFields, b: BookFields): boolean {
  return fieldNames.every((name) => a[name] === b[name]);
}

/** Whether a value can be the id of a book. */
export function isId(value: unknown): value is number {
  return isInteger(value) && value >= 1;
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
