import type { BookFields, BookPatch } from '../../../catalogue/book.ts';
import { fieldNames, fields, mapFields, type FieldName } from '../../../catalogue/fields.ts';
import { asObject } from '../session-storage.ts';

/** What is typed into the fields of a form. */
export type Draft = Readonly<Record<FieldName, string>>;

export const emptyDraft: Draft = mapFields(fieldNames, () => '');

/** Whether a value that was kept is a draft. */
export function isDraft(value: unknown): value is Draft {
  const given = asObject(value);
  return fieldNames.every((name) => typeof given[name] === 'string');
}

/** A book as the texts of a form. An integer that is missing is an empty text. */
export function draftOf(book: BookFields): Draft {
  return mapFields(fieldNames, (name) => (book[name] === 0 ? '' : String(book[name])));
}

/** The fields of a draft, or the field whose text is not a value. */
export function parseDraft(draft: Draft): { fields: BookFields } | { wrong: FieldName } {
  const parsed: Partial<Record<FieldName, string | number>> = {};
  for (const name of fieldNames) {
    const text = draft[name];
    const value = fields[name].type === 'integer' ? parseInteger(text) : text.toWellFormed();
    if (value === undefined) return { wrong: name };
    parsed[name] = value;
  }
  return { fields: parsed as BookFields };
}

function parseInteger(text: string): number | undefined {
  const trimmed = text.trim().replace('−', '-');
  if (trimmed === '') return 0;
  const value = /^[+-]?\d+$/.test(trimmed) ? Number(trimmed) : NaN;
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

/** The fields that differ. */
export function changesBetween(before: BookFields, after: BookFields): BookPatch {
  const changed = fieldNames.filter((name) => before[name] !== after[name]);
  return mapFields(changed, (name) => after[name]) as BookPatch;
}
