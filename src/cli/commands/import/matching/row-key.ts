import { parseId } from '../../../../catalogue/book.ts';
import type { FieldName } from '../../../../catalogue/fields.ts';
import { parseRevision } from '../../../../formats/revision.ts';

/** What a row says about the book that it stands for, with `--match id`. */
export interface RowKey {
  id: unknown;
  revision: unknown;
  /** The fields for which the file has a column. The others stay as they are. */
  given: readonly FieldName[];
}

/** The book of a row, or why it cannot be found. Without an id, the row is a new book. */
export type ParsedKey =
  | { id: undefined }
  | { id: number; digest: string | undefined; given: readonly FieldName[] }
  | { reason: string };

export function parseKey({ id, revision, given }: RowKey): ParsedKey {
  if (isBlank(id)) return { id: undefined };
  const parsed = parseId(textOf(id));
  if (parsed === undefined) return { reason: `its id is not the id of a book: ${shown(id)}` };
  if (isBlank(revision)) return { id: parsed, digest: undefined, given };
  const digest = parseRevision(textOf(revision));
  if (digest === undefined)
    return {
      reason: `its revision is damaged: ${shown(revision)}; empty it to change the book as it is now`,
    };
  return { id: parsed, digest, given };
}

/** Whether a row stands for a book of the catalogue. */
export function hasId(key: RowKey | undefined): boolean {
  return key !== undefined && !isBlank(key.id);
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

function shown(value: unknown): string {
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 80) : value).slice(0, 100);
}
