// `--match id`: compares a row with the book that it stands for.
import { fieldsOf, parseId, type Book, type BookFields, type BookPatch } from '../catalogue/book.ts';
import { fieldNames, nameField, textFields, yearField, type FieldName } from '../catalogue/fields.ts';
import type { RowProblem } from '../formats/problems.ts';
import { shown, type YearRule } from './read-fields.ts';
import type { RowKey } from './row.ts';
import { changedFields, digestOf, parseRevision } from '../formats/revision.ts';

/** A row that stands for a book. */
export interface MatchedRow {
  readonly id: number;
  /** The digest of the book when the row was exported; `undefined`: the row changes the book as it is now. */
  readonly digest: string | undefined;
  readonly given: readonly FieldName[];
  readonly fields: BookFields;
}

/** Whether a row stands for a book of the catalogue. Without an id, it is a new book. */
export function hasId(key: RowKey | undefined): boolean {
  return key !== undefined && !isBlank(key.id);
}

/** What is asked of the year of a row. One that leaves the year of its book as it is need not have it. */
export function yearRuleOf(needsYear: boolean | undefined, key: RowKey | undefined): YearRule {
  const isOfBook = hasId(key);
  if (needsYear === true && !(isOfBook && key?.given.includes(yearField) === false)) return 'required';
  return isOfBook ? 'understood' : 'any';
}

export function readKey(
  { id, revision, given }: RowKey,
  fields: BookFields,
): MatchedRow | { problem: RowProblem } {
  const parsed = parseId(textOf(id));
  if (parsed === undefined) return { problem: { code: 'badId', shown: shown(id) } };
  if (isBlank(revision)) return { id: parsed, digest: undefined, given, fields };
  const digest = parseRevision(textOf(revision));
  if (digest === undefined) return { problem: { code: 'badRevision', shown: shown(revision) } };
  return { id: parsed, digest, given, fields };
}

export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/** Compares a row with the book as it is now: the book stays, changes, or the row is left out. */
export function compare(
  row: MatchedRow,
  now: Book,
): 'unchanged' | { patch: BookPatch } | { problem: RowProblem } {
  const { id, digest, given, fields } = row;
  const isWhole = given.length === fieldNames.length;
  if (isWhole && digest !== undefined && digestOf(fields) === digest) return 'unchanged'; // Nobody has edited it.
  const wanted = { ...fieldsOf(now), ...Object.fromEntries(given.map((name) => [name, fields[name]])) };
  const patch = changedFields(now, wanted);
  const changed = namesIn(patch);
  if (changed.length === 0) return 'unchanged';
  if (digest !== undefined && digestOf(now) !== digest) return { problem: conflict(id, changed, now) };
  if (changed.includes(nameField) && fields[nameField].trim() === '')
    return { problem: { code: 'missing', field: nameField } };
  const lost = textFields.find((name) => hasLostCharacters(now[name], wanted[name]));
  if (lost === undefined) return { patch };
  return { problem: { code: 'lostCharacters', field: lost } };
}

function conflict(id: number, changed: readonly FieldName[], now: Book): RowProblem {
  return { code: 'conflict', id, now: changed.map((field) => ({ field, shown: shown(now[field]) })) };
}

/** A change of a book that a row asks for. */
export interface BookChange {
  /** The book as it was when it was compared. */
  readonly now: Book;
  readonly patch: BookPatch;
}

/** A change in a message: `book 7: year 1815 -> 1816`. */
export function describeChange({ now, patch }: BookChange): string {
  const changes = namesIn(patch).map((name) => `${name} ${shown(now[name])} -> ${shown(patch[name])}`);
  return `book ${now.id}: ${changes.join(', ')}`;
}

function namesIn(patch: BookPatch): FieldName[] {
  return fieldNames.filter((name) => patch[name] !== undefined);
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
