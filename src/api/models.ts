// The shapes of what requests and answers contain. The server adds their descriptions for the OpenAPI document.
import { maxAuthors, maxBatchBooks, maxDecades } from '../catalogue/limits.ts';
import { batchPattern } from '../catalogue/batch.ts';
import type { Book, BookFields } from '../catalogue/book.ts';
import { changeKinds, type ChangeKind } from '../catalogue/changes.ts';
import { type Correction } from '../catalogue/correction.ts';
import { fieldNames, fields, mapFields, wordMembers } from '../catalogue/fields.ts';
import { flag, integer, list, nullable, object, oneOf, partial, text, time, type Shape } from './shapes.ts';

const { MIN_SAFE_INTEGER: minimum, MAX_SAFE_INTEGER: maximum } = Number;

export const id = integer({ minimum: 1, maximum });
export const anyInteger = integer({ minimum, maximum });
const count = integer({ minimum: 0 });
const positive = integer({ minimum: 1 });
export const batchId = text({ pattern: batchPattern });

type FieldShapes = { readonly [Name in keyof BookFields]: Shape<BookFields[Name]> };
const shapesByType = { text: text(), integer: anyInteger };
const fieldShapes = /* @__PURE__ */ mapFields(
  fieldNames,
  (name) => shapesByType[fields[name].type],
) as unknown as FieldShapes;

export const book: Shape<Book> = object({ id, ...fieldShapes });
/** A book that is not stored. */
export const foundBook: Shape<BookFields> = object(fieldShapes);
/** A new book: a missing field gets the empty value of its type. */
export const bookFields = partial(fieldShapes);
/** The fields to change. */
export const bookPatch = partial(fieldShapes);
/** A book to look up, by its id or by its fields. */
export const wanted = partial({ id, ...fieldShapes });

export const rejected = object({ line: positive, message: text() });
/** The result of an import. */
export const imported = object({ ids: list(id), rejected: list(rejected), batch: batchId });

/** A state of a book before a change. */
export const earlierState = object(
  {
    version: text(),
    at: time(),
    change: oneOf(changeKinds.filter((kind) => kind !== 'created')),
    ...fieldShapes,
  },
  { batch: batchId, user: text() },
);
export const deletedBook = object({ id, ...fieldShapes, deletedAt: time() }, { batch: batchId });
/** The state to go back to. */
export const revert = partial({ version: text() });

type Counts = Readonly<Record<ChangeKind, Shape<number>>>;
const counts = { created: count, updated: count, deleted: count, reverted: count } satisfies Counts;
/** A book that a batch has changed. */
export const batchBook = object({ id, change: oneOf(changeKinds), ...fieldShapes }, { user: text() });
/** What a batch has done. */
export const batchSummary = object(
  {
    batch: batchId,
    at: time(),
    ...counts,
    undoable: flag(),
  },
  { books: list(batchBook, { maxItems: maxBatchBooks }), undoneBy: batchId },
);
/** Which step of an undo. */
export const undo = partial({ before: id });
/** The result of a step of an undo. */
export const undone = object({
  batch: nullable(batchId),
  undone: count,
  left: list(id),
  next: nullable(id),
});

/** A value of a field, and the number of its books. */
export const suggestion = object({ value: text(), count: positive });
export const authorCount = object({ author: text(), count: positive });
/** Spellings of one name, group by group. */
export const authorVariants = list(list(authorCount, { minItems: 2 }));
/** New words for a query. */
export const correction: Shape<Correction> = partial(
  Object.fromEntries(wordMembers.map((name) => [name, text()])),
);

/** The first year of a decade: that of the lowest year is below the safe integers. */
const decade: Shape<number> = {
  ...integer(),
  parse: (value) => (Number.isInteger(value) ? (value as number) : undefined),
};
export const years = object({
  first: nullable(integer()),
  last: nullable(integer()),
  without: count,
});
export const decadeCount = object({ from: decade, count: positive });
/** An author among statistics. */
export const frequentAuthor = object({ author: text(), count: positive });
export const statistics = object({
  count,
  years,
  decades: list(decadeCount, { maxItems: maxDecades }),
  authors: list(frequentAuthor, { maxItems: maxAuthors }),
  estimated: flag(),
});

export const login = object({ username: text(), password: text() });
export const passwordChange = object({ password: text(), newPassword: text() });
export const token = object({ token: text() });
export const loginCode = object({ code: text() });
