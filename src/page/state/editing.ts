import { newBatchId } from '../../catalogue/batch.ts';
import {
  type Book,
  type BookFields,
  type BookPatch,
  fieldsOf,
  hasSameFields,
  toBook,
} from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { type FieldName, fieldNames, fields, mapFields } from '../../catalogue/fields.ts';
import type { TaggedBook } from '../../client/methods.ts';
import { list } from './live.ts';
import { asServiceError, client, readBook } from './service.ts';
import { asObject, createSignal, isHeaderText, readDraft, writeDraft } from './signal.ts';

/** The texts of the fields of a form. */
export type Draft = Readonly<Record<FieldName, string>>;

export const emptyDraft: Draft = mapFields(fieldNames, () => '');

/** Whether a value that was kept is a draft. */
export function isDraft(value: unknown): value is Draft {
  const given = asObject(value);
  return fieldNames.every((name) => typeof given[name] === 'string');
}

/** A book as the texts of a form. An integer that is missing is an empty text. */
function draftOf(book: BookFields): Draft {
  return mapFields(fieldNames, (name) => (book[name] === 0 ? '' : String(book[name])));
}

/** The fields of a draft, or the field whose text is invalid. */
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

export function changesBetween(before: BookFields, after: BookFields): BookPatch {
  const changed = fieldNames.filter((name) => before[name] !== after[name]);
  return mapFields(changed, (name) => after[name]) as BookPatch;
}

/** A book that somebody edits. */
export interface Editing {
  /** In its row of the table, or in its sheet. */
  readonly place: 'row' | 'sheet';
  /** The state that the editing began with. Its tag is empty if it was shown: saving reads it. */
  readonly base: TaggedBook;
  readonly draft: Draft;
  readonly isSaving: boolean;
  /** The field that cannot be saved as it is. */
  readonly wrong?: FieldName;
  readonly error?: Pick<ShelflistError, 'code'>;
  /** The state that somebody else has saved meanwhile. */
  readonly theirs?: TaggedBook;
}

const draftName = 'edit';
/** The tag of a state that was shown. */
const unread = '';

/** What is edited: one book at a time. It survives a reload. */
export const editing = createSignal(restore());

/** The book that was saved last, until its row has shown it. */
export const lastSaved = createSignal<number | undefined>(undefined);

/**
 * The edits behind that one: somebody typed on in another row while they were saved. One that could not be saved is shown when the
 * other one has ended.
 */
let waiting: readonly Editing[] = [];

function restore(): Editing | undefined {
  const { place, base, draft } = asObject(readDraft(draftName));
  const { book, tag } = asObject(base);
  const known = toBook(book);
  if (known === undefined || !isDraft(draft)) return undefined;
  const kept = { book: known, tag: isHeaderText(tag) ? tag : unread };
  return { place: place === 'sheet' ? place : 'row', base: kept, draft, isSaving: false };
}

/** Removes the problem of the last attempt to save. */
function withoutProblem({ place, base, draft }: Editing): Editing {
  return { place, base, draft, isSaving: false };
}

function update(next: Editing | undefined): void {
  const shown = next ?? waiting.findLast(({ isSaving }) => !isSaving);
  waiting = waiting.filter((each) => each !== shown);
  writeDraft(draftName, shown);
  editing.set(shown);
}

const isOpen = (edit: Editing) => edit === editing.value || waiting.includes(edit);

/** Replaces an edit by its next state, shown or not; `undefined` ends it. Does nothing if the user has cancelled it. */
function replace(before: Editing, next: Editing | undefined): void {
  if (editing.value === before) update(next);
  else {
    waiting = waiting.flatMap((each) => (each === before ? (next ?? []) : each));
    if (editing.value === undefined) update(undefined);
  }
}

/** Counts the beginnings and ends of edits, to ignore answers to requests of an earlier edit. */
let turns = 0;
let saving: Promise<unknown> = Promise.resolve();

/** The outcome of the previous edit when the next one begins. */
export interface Left {
  /** Its text was saved. */
  readonly saved?: Saved;
  /** It cannot be saved and stays open; the next edit does not begin. */
  readonly unsaved?: Editing;
}

/**
 * Begins to edit a book in its current state. Saves the text of another edit first.
 *
 * @throws {ShelflistError} It cannot be read.
 */
export async function startEditing(id: number, place: Editing['place']): Promise<Left> {
  const turn = ++turns;
  if (editing.value?.base.book.id === id) {
    update({ ...editing.value, place });
    return {};
  }
  const base = await readBook(id);
  await saving;
  if (turn !== turns) return {};
  const saved = await saveEditing().catch(() => undefined);
  if (editing.value !== undefined && turn === turns) return { unsaved: editing.value };
  if (turn === turns) begin(base, place);
  return saved === undefined ? {} : { saved };
}

/**
 * Begins to edit a book in its row at once, as it is shown: keys that follow are not lost. Saves the text of another edit
 * meanwhile. If that is refused, it stays open, and this edit does not begin.
 */
export function editShown(shown: Book): {
  readonly saving: Promise<Saved | undefined>;
  readonly unsaved?: Editing;
} {
  turns++;
  const now = editing.value;
  if (now?.base.book.id === shown.id) {
    if (!now.isSaving) update({ ...now, place: 'row' });
    return { saving: Promise.resolve(undefined) };
  }
  const saving = saveEditing();
  const left = editing.value;
  if (left !== undefined && !left.isSaving) return { saving, unsaved: left };
  if (left !== undefined) waiting = [...waiting, left];
  begin({ book: shown, tag: unread }, 'row');
  return { saving };
}

function begin(base: TaggedBook, place: Editing['place']): void {
  list.change(base.book.id, () => base.book);
  update({ place, base, draft: draftOf(base.book), isSaving: false });
}

export function typeInto(name: FieldName, text: string): void {
  const now = editing.value;
  if (now === undefined || now.isSaving) return;
  const { wrong, error, ...rest } = now;
  update({
    ...rest,
    draft: { ...now.draft, [name]: text },
    ...(wrong !== undefined && wrong !== name && { wrong }),
    ...(error !== undefined && { error }),
  });
}

export function stopEditing(): void {
  turns++;
  update(undefined);
}

/** A saved change, for an undo. */
export interface Saved {
  readonly book: Book;
  readonly batch: string;
  /** Whether it has what somebody else has changed meanwhile, in other fields. */
  readonly isMerged?: boolean;
}

/** Saves what was typed. Returns `undefined` if nothing was saved: nothing has changed, or `editing` says why not. */
export async function saveEditing(): Promise<Saved | undefined> {
  const now = editing.value;
  if (now === undefined || now.isSaving) return undefined;
  const parsed = parseDraft(now.draft);
  if ('wrong' in parsed) {
    update({ ...now, wrong: parsed.wrong });
    return undefined;
  }
  if (hasSameFields(now.base.book, parsed.fields)) {
    update(undefined);
    return undefined;
  }
  return save(now, now.base, parsed.fields);
}

/** Overwrites the state that somebody else has saved, as the user has decided. */
export async function saveOverTheirs(): Promise<Saved | undefined> {
  const now = editing.value;
  const merged = now === undefined ? undefined : mergedFields(now);
  if (now?.theirs === undefined || merged === undefined) return undefined;
  return save(now, now.theirs, merged);
}

/** Continues in the sheet of the book, which has no row any more: somebody else has deleted it. */
export function editDeleted(): void {
  const now = editing.value;
  if (now !== undefined) update({ ...now, place: 'sheet', error: { code: 'book_not_found' } });
}

/** Brings the deleted book back, and saves what was typed, as one batch. */
export async function restoreAndSave(): Promise<Saved | undefined> {
  const now = editing.value;
  const parsed = now && parseDraft(now.draft);
  if (now === undefined || parsed === undefined || 'wrong' in parsed || now.isSaving) return undefined;
  return save(now, now.base, parsed.fields, true);
}

/** The state that somebody else has saved, with the fields that were changed here. */
export function mergedFields({ base, draft, theirs }: Editing): BookFields | undefined {
  const parsed = parseDraft(draft);
  if ('wrong' in parsed || theirs === undefined) return undefined;
  return { ...fieldsOf(theirs.book), ...changesBetween(base.book, parsed.fields) };
}

/** Continues with the state that somebody else has saved. */
export function editTheirs(): void {
  const now = editing.value;
  if (now?.theirs === undefined) return;
  const merged = mergedFields(now);
  update({
    ...withoutProblem(now),
    base: now.theirs,
    draft: merged === undefined ? now.draft : draftOf(merged),
  });
}

function save(...change: Parameters<typeof send>): Promise<Saved | undefined> {
  const saved = send(...change);
  saving = saved.catch(() => undefined);
  return saved;
}

async function send(
  now: Editing,
  base: TaggedBook,
  fields: BookFields,
  isDeleted = false,
): Promise<Saved | undefined> {
  const rest = withoutProblem(now);
  const sent = { ...rest, isSaving: true };
  replace(now, sent);
  const batch = newBatchId();
  const { id } = base.book;
  try {
    const patch = changesBetween(base.book, fields);
    const tag = base.tag === unread && !isDeleted ? await tagOf(base.book) : base.tag;
    const restored = isDeleted ? await client.revert(id, { ifNoneMatch: '*', batch }) : undefined;
    const book =
      restored !== undefined && Object.keys(patch).length === 0
        ? restored
        : await client.update(id, patch, { ifMatch: isDeleted ? undefined : tag, batch });
    list.change(id, () => book);
    lastSaved.set(id);
    replace(sent, undefined);
    return { book, batch };
  } catch (error) {
    const failure = asServiceError(error);
    const theirs = failure.code === 'precondition_failed' ? await readTheirs(id) : undefined;
    if (!isOpen(sent)) throw failure; // The user has cancelled meanwhile.
    const merged = theirs && mergedFields({ ...rest, theirs });
    if (theirs && merged && theirs.tag !== base.tag && !isConflict(rest.base.book, merged, theirs.book)) {
      const joined = { ...rest, base: theirs, draft: draftOf(merged) };
      replace(sent, joined);
      return sendMerged(joined, merged);
    }
    replace(sent, {
      ...rest,
      isSaving: false,
      error: { code: failure.code },
      ...(theirs !== undefined && { theirs }),
    });
    return undefined;
  }
}

/**
 * The tag of a book that is still as it was shown.
 *
 * @throws {ShelflistError} `precondition_failed`: somebody else has changed it; or it cannot be read.
 */
async function tagOf(shown: Book): Promise<string> {
  const { book, tag } = await readBook(shown.id);
  if (!hasSameFields(book, shown)) throw new ShelflistError('precondition_failed');
  return tag;
}

/** Whether somebody else has given a field that was changed here another value. */
function isConflict(base: BookFields, merged: BookFields, theirs: BookFields): boolean {
  return fieldNames.some((name) => theirs[name] !== base[name] && theirs[name] !== merged[name]);
}

/** Saves the fields that were changed here; somebody else has changed others. */
async function sendMerged(now: Editing, merged: BookFields): Promise<Saved | undefined> {
  const { book } = now.base;
  if (hasSameFields(book, merged)) {
    list.change(book.id, () => book);
    replace(now, undefined);
    return undefined;
  }
  const saved = await send(now, now.base, merged);
  return saved && { ...saved, isMerged: true };
}

async function readTheirs(id: number): Promise<TaggedBook | undefined> {
  try {
    return await readBook(id);
  } catch {
    return undefined; // The form shows the error.
  }
}
