// The values of a row to the fields of a book.
import {
  fieldNames,
  fields,
  nameField,
  yearField,
  type BookFields,
  type FieldName,
} from '../catalogue/fields.ts';
import { isObject } from '../formats/csl.ts';
import type { FieldProblem, RowNote, RowProblem } from '../formats/problems.ts';
import { joinNames } from '../formats/author-names.ts';
import { parseLibraryYear } from '../formats/year.ts';

/** The fields of a row, or why it is not a book. */
export type ReadFields<Problem = RowProblem> =
  { readonly fields: BookFields; readonly notes?: readonly RowNote[] } | { readonly problem: Problem };

/**
 * What is asked of the year of a row. `understood`: a text that is not understood refuses the row, which would else change the
 * year of a book. `any`: such a text gives a book without a year, and a note.
 */
export type YearRule = 'required' | 'understood' | 'any';

/**
 * Reads the values of a row. Texts are kept as they are, except that a list of texts is joined.
 *
 * @param mayLackTitle Whether a blank title is accepted.
 * @param given What is known of the row before.
 */
export function readFields(
  valueOf: (name: FieldName) => unknown,
  mayLackTitle: boolean,
  yearRule: YearRule = 'any',
  given: readonly RowNote[] = [],
): ReadFields<FieldProblem> {
  const result: Partial<Record<FieldName, string | number>> = {};
  const notes = [...given];
  for (const name of fieldNames) {
    const value = valueOf(name) ?? undefined;
    const isBlank = value === undefined || (typeof value === 'string' && value.trim() === '');
    if (name === nameField && isBlank && (value === undefined || !mayLackTitle))
      return { problem: { code: 'missing', field: name } };
    const isInteger = fields[name].type === 'integer';
    const parsed = isInteger ? parseInteger(value) : parseText(value, name !== nameField);
    if (parsed === undefined && isInteger && yearRule === 'any')
      notes.push({ code: 'yearLeftOut', shown: shown(value) });
    else if (parsed === undefined)
      return {
        problem: { code: isInteger ? 'notUnderstood' : 'notText', field: name, shown: shown(value) },
      };
    result[name] = parsed ?? 0;
    if (isInteger && yearRule === 'any' && typeof value === 'string' && twoDigits.test(value))
      notes.push({ code: 'shortYear', year: Number(parsed) });
  }
  return checkYear(result as BookFields, notes, yearRule);
}

/** Refuses a book without a year that it needs, and notes a year that is far ahead. */
export function checkYear(
  book: BookFields,
  given: readonly RowNote[] = [],
  rule: YearRule = 'any',
): ReadFields<FieldProblem> {
  const year = book[yearField];
  if (rule === 'required' && year === 0) return { problem: { code: 'missing', field: yearField } };
  const isFar = year > thisYear + maxYearsAhead;
  const notes: readonly RowNote[] = isFar ? [...given, { code: 'farYear', year }] : given;
  return { fields: book, ...(notes.length > 0 && { notes }) };
}

/** Asked once: a file has many rows. */
const thisYear = new Date().getFullYear();
/** Books are announced for years, but not for more than these. */
const maxYearsAhead = 10;

/** A value for a message, however long or deep it is. */
export function shown(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? '[…]' : '{…}';
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 80) : value);
  return typeof value === 'string' && value.length > 80 ? `${text}…` : text;
}

function parseText(value: unknown, isAuthor: boolean): string | undefined {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (isAuthor) return authorOf(value);
  return typeof value === 'number' ? String(value) : undefined; // A spreadsheet takes the title 1984 for a number.
}

/** The members of an object that have the name of somebody: parts of it, in this order. */
const nameMembers: readonly (readonly string[])[] = [
  ['name'],
  ['literal'],
  ['given', 'family'],
  ['firstName', 'lastName'],
  ['first_name', 'last_name'],
  ['givenName', 'familyName'],
  ['fl'],
  ['text'],
];
/** The members with the role of somebody. */
const roleMembers = ['creatorType', 'role'];
/** Whose names are the author, best first, if roles are told. */
const roles = [/^$|author|writer|\baut\b|^creator$/i, /edit|compiler/i, /^/];

/** The names in a JSON value: a text, an object with a name, or a list of these; `undefined` if it has something else. */
export function authorOf(value: unknown): string | undefined {
  const items: readonly unknown[] = Array.isArray(value) ? value : isObject(value) ? [value] : [1];
  const named = items.map((item) => ({ name: nameOf(item), role: roleOf(item) }));
  if (named.some(({ name }) => name === undefined)) return undefined;
  const chosen = roles
    .map((role) => named.filter((each) => role.test(each.role)))
    .find(({ length }) => length > 0);
  return joinNames((chosen ?? []).flatMap(({ name = '' }) => (name === '' ? [] : [name])));
}

/** The name of somebody; empty if the file has only a reference to it; `undefined` if it is no name. */
function nameOf(item: unknown): string | undefined {
  if (typeof item === 'string') return item;
  if (!isObject(item)) return undefined;
  for (const members of nameMembers) {
    const parts = members
      .map((member) => item[member])
      .filter((part) => typeof part === 'string' && part !== '');
    if (parts.length > 0) return parts.join(' ');
  }
  if (isObject(item.author)) return nameOf({ ...item.author, author: undefined });
  return ['key', 'id', '@id'].some((member) => typeof item[member] === 'string') ? '' : undefined;
}

function roleOf(item: unknown): string {
  const role =
    isObject(item) && roleMembers.map((member) => item[member]).find((each) => typeof each === 'string');
  return typeof role === 'string' ? role : '';
}

/** Reads an integer, which is a year: a number exactly, a text in any form that libraries use. Blank is 0. */
function parseInteger(value: unknown = ''): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : undefined;
  return typeof value === 'string' && !serialDay.test(value) ? parseLibraryYear(value) : undefined;
}

/** `98` can be short for 1998. A number in JSON or in an export is exact. */
const twoDigits = /^\s*['’]?\d\d(?:\.0*)?\s*$/;
/** The number of a day in a spreadsheet, whose format is lost: a year would not have five digits. */
const serialDay = /^\s*\d{5}\s*$/;
