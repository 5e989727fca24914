// The tools, one row each: what they are for, their arguments, and what they do.
import { anyInteger, batchId, id } from '../../../api/models.ts';
import { bookParameters } from '../../../api/queries.ts';
import { flag, integer, list, object, partial, text, type Shape } from '../../../api/shapes.ts';
import { newBatchId } from '../../../catalogue/batch.ts';
import { hasSameFields, type Book, type BookFields } from '../../../catalogue/book.ts';
import { hasCode, ShelflistError } from '../../../catalogue/errors.ts';
import { fieldNames, listFields } from '../../../catalogue/fields.ts';
import { hasWords, toFilter } from '../../../catalogue/query.ts';
import type { Client } from '../../../client/client.ts';
import { Edit, isUncertain } from '../../../client/edits.ts';
import { describe } from '../../../formats/problems.ts';
import { countDone, importBooks } from '../../../import/import-books.ts';
import type { BookRow } from '../../../import/row.ts';
import { readFields } from '../../../import/read-fields.ts';
import { eachAtOnce } from '../../../lib/semaphore.ts';
import { asFailure, CommandError, withMessage } from '../../command-error.ts';
import { booksOfIds, findBook, maxInFlight } from '../../ids.ts';
import type { Changed } from '../../ui/batches.ts';
import { described } from './tool-arguments.ts';

/** What the protocol lets a client show before a call. */
interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: false;
}

export interface Tool {
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  readonly input: Shape;
  /** Runs it with arguments of the shape. @throws The error whose message the assistant gets. */
  readonly run: (client: Client, input: never, signal: AbortSignal) => Promise<object>;
}

/** A row. Its arguments have the type of its shape. */
function tool<Input>(
  row: Omit<Tool, 'input' | 'run'> & {
    readonly input: Shape<Input>;
    readonly run: (client: Client, input: Input, signal: AbortSignal) => Promise<object>;
  },
): Tool {
  return row;
}

const reads: Annotations = { readOnlyHint: true, openWorldHint: false };
const adds: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
const overwrites: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

const maxIds = 100;
const maxRows = 1000;
const defaultLimit = 20;
const maxLimit = 100;
/** A service keeps an idempotency key for 24 hours. */
const maxRepeatMs = 23 * 3_600_000;

const { q, sort, ...filters } = bookParameters;
const selection = {
  q: described(
    q,
    'Words, or their beginnings, in title or author, or a year; every one must match. Case and accents do not matter.',
  ),
  ...filters,
  titleWords: described(filters.titleWords, 'Words, or their beginnings, in the title.'),
  authorWords: described(filters.authorWords, 'Words, or their beginnings, in the author.'),
  title: described(filters.title, 'The whole title.'),
  author: described(filters.author, 'The whole author.'),
};

const year = described(anyInteger, 'Negative before the common era; 0 or left out: unknown.');
const optionalFields = {
  author: described(text(), 'As on the book: Jane Austen. Several: with semicolons between them.'),
  year,
};
const ids = list(id, { minItems: 1, maxItems: maxIds });

export const tools: Readonly<Record<string, Tool>> = {
  search_books: tool({
    title: 'Search books',
    description:
      'Finds books by words and filters; without any, lists all. If no book matches, "corrections" has other words that do.',
    annotations: reads,
    input: partial({
      ...selection,
      sort: described(sort, 'Default: best match first with words, else by id.'),
      limit: described(
        integer({ minimum: 1, maximum: maxLimit }),
        `Books on a page. Default ${defaultLimit}.`,
      ),
      after: described(text(), 'The "next" of the previous page of the same search.'),
    }),
    async run(client, { limit = defaultLimit, ...query }, signal) {
      const {
        items: books,
        next,
        total,
        match,
      } = await client.page({ ...query, limit, count: true }, { signal });
      const { after, ...words } = query;
      const isEmpty = books.length === 0 && after === undefined && hasWords(toFilter(words));
      return {
        books,
        total,
        next,
        ...(match && { match: 'inside words: no word of a book begins with one of these words' }),
        // The search has succeeded, even if the service cannot correct.
        ...(isEmpty && { corrections: await client.corrections(words, { signal }).catch(() => []) }),
      };
    },
  }),

  get_books: tool({
    title: 'Get books',
    description: 'Reads books by their ids. "missing" has the ids without a book.',
    annotations: reads,
    input: object({ ids }),
    async run(client, input, signal) {
      const wanted = [...new Set(input.ids)];
      const found = await client.lookup(
        wanted.map((each) => ({ id: each })),
        { signal },
      );
      return {
        books: found.filter((book) => book !== undefined),
        missing: wanted.filter((_, i) => found[i] === undefined),
      };
    },
  }),

  book_statistics: tool({
    title: 'Count books',
    description: 'Counts books by decade and by author: all, or those of a selection as in search_books.',
    annotations: reads,
    input: partial(selection),
    run: (client, query, signal) => client.stats(query, { signal }),
  }),

  add_book: tool({
    title: 'Add a book',
    description:
      'Adds a book, unless the catalogue has one with the same title, author and year: then "added" is false, and "id" is that book.',
    annotations: adds,
    input: object(
      { title: text({ pattern: '\\S' }) },
      {
        ...optionalFields,
        allowDuplicate: described(flag(), 'Add it even if the catalogue has it. Default false.'),
        idempotencyKey: described(
          text({ pattern: '^[A-Za-z0-9_-]{8,60}$' }),
          'A random text of your choice for this book. Repeating the same call with it, within a day, adds the book only once.',
        ),
      },
    ),
    async run(client, { idempotencyKey, allowDuplicate = false, ...fields }, signal) {
      const batch = idempotencyKey === undefined ? newBatchId() : `add-${idempotencyKey}`;
      const isRepeat = idempotencyKey !== undefined && (await isRecent(client, batch, signal));
      if (!allowDuplicate && !isRepeat) {
        const [same] = await client.lookup([fields], { signal });
        if (same !== undefined) return { added: false, id: same.id };
      }
      signal.throwIfAborted();
      // Without the signal: what a write has done is then known.
      const created = await client
        .create(fields, { batch, idempotencyKey })
        .catch((error: unknown) => failWritten(error, batch, isUncertain(error) && 'perhaps'));
      if (isRepeat && (await findBook(client, created.id)) === undefined)
        throw new CommandError('failed', {
          message: `the book of this idempotencyKey, ${created.id}, was deleted since; to add it again, choose another key`,
        });
      return { added: true, id: created.id, ...undoable(batch) };
    },
  }),

  import_books: tool({
    title: 'Import books',
    description:
      `Adds many books, up to ${maxRows} a call, such as those that you read from a photograph of a shelf. Leaves out those that the ` +
      'catalogue has already, so that a call can be repeated. Rows are counted from 1.',
    annotations: adds,
    input: object(
      { rows: list(object({ title: text() }, optionalFields), { minItems: 1, maxItems: maxRows }) },
      { allowDuplicates: described(flag(), 'Add every row, even if the catalogue has it. Default false.') },
    ),
    async run(client, { rows, allowDuplicates = false }, signal) {
      const batch = newBatchId();
      const skipped: number[] = [];
      const { failure, ...done } = await importBooks({
        client,
        batch,
        onDuplicate: allowDuplicates ? 'add' : 'skip',
        dryRun: false,
        signal,
        open: () => toRows(rows),
        onResult({ line }, result) {
          if (result === 'skipped') skipped.push(line);
        },
      });
      const { added, rejects, notes } = done;
      const failed: unknown = failure ?? (countDone(done) < rows.length ? signal.reason : undefined);
      if (failed !== undefined) failWritten(failed, batch, added > 0 || (isUncertain(failed) && 'perhaps'));
      return {
        added,
        ids: done.ids,
        skipped,
        rejected: rejects.map(({ line, problem }) => ({ row: line, problem: describe(problem) })),
        notes: notes.map((each) => ({
          row: each.line,
          note: each.notes.map((note) => describe(note)).join('; '),
        })),
        ...(added > 0 && undoable(batch)),
      };
    },
  }),

  change_books: tool({
    title: 'Change books',
    description:
      'Gives books new values: each book the fields that you name. If one of the ids has no book, nothing is changed. "skipped" has ' +
      'the ids of books that somebody else changed meanwhile.',
    annotations: overwrites,
    input: object({
      books: list(object({ id }, { title: text({ pattern: '\\S' }), ...optionalFields }), {
        minItems: 1,
        maxItems: maxIds,
      }),
    }),
    async run(client, { books }, signal) {
      const patches = new Map(books.map(({ id: key, ...patch }) => [key, patch]));
      if (patches.size < books.length) throw refusal('an id occurs twice; nothing was changed');
      for (const [key, patch] of patches)
        if (Object.keys(patch).length === 0)
          throw refusal(
            `name at least one of ${listFields(fieldNames)} for book ${key}; nothing was changed`,
          );
      const found = await readAll(client, [...patches.keys()], 'nothing was changed', signal);
      const differing = found.filter((book) => !hasSameFields(book, { ...book, ...patches.get(book.id) }));
      const edit = new Edit(client, { maxInFlight });
      await run(edit, () =>
        eachAtOnce(differing, maxInFlight, (book) => edit.change([book], patches.get(book.id) ?? {}, signal)),
      );
      return report(edit, 'changed');
    },
  }),

  delete_books: tool({
    title: 'Delete books',
    description:
      'Deletes books by their ids; search for them first. If one of the ids has no book, nothing is deleted. "skipped" is as in change_books.',
    annotations: overwrites,
    input: object({ ids }),
    async run(client, input, signal) {
      const found = await readAll(client, input.ids, 'nothing was deleted', signal);
      const edit = new Edit(client, { maxInFlight });
      await run(edit, () => edit.delete(found, signal));
      return report(edit, 'deleted');
    },
  }),

  undo_batch: tool({
    title: 'Undo',
    description:
      'Takes back what a call did, by the "batch" of its answer: each book returns to its previous state. Skips books that were changed since. ' +
      'The undo is a batch, too.',
    annotations: overwrites,
    input: object({ batch: batchId }),
    async run(client, { batch }, signal) {
      let own: string | undefined;
      // A step that is on its way ends: then the batch is known.
      const ending = new AbortController();
      const { undone, left } = await client
        .undo(batch, {
          signal: ending.signal,
          onProgress(progress) {
            own = progress.batch;
            if (signal.aborted) ending.abort();
          },
        })
        .catch((error: unknown) => {
          if (!hasCode(error, 'batch_not_found'))
            failWritten(error, own, own !== undefined || (isUncertain(error) && 'perhaps'));
          throw new ShelflistError('batch_not_found', {
            message: `batch ${batch} not found: it changed no book, or is too old to be undone; check the id`,
          });
        });
      const skipped = left.slice(0, maxRows);
      return { undone, skippedCount: left.length, skipped, ...(own !== undefined && undoable(own)) };
    },
  }),
};

function refusal(message: string): CommandError {
  return new CommandError('usage', { message });
}

/** The part of an answer that says how to take a call back. */
function undoable(batch: string): object {
  return {
    batch,
    undo: `to take this back, call undo_batch with this batch, or run: shelflist undo ${batch}`,
  };
}

/** Says what a call that failed may have done. @throws The error, with this advice. */
function failWritten(error: unknown, batch: string | undefined, changed: Changed): never {
  if (changed === false) throw error;
  const failure = asFailure(error);
  const what = changed === 'perhaps' ? 'it may be done all the same' : 'a part of it is done';
  const how =
    batch === undefined
      ? 'look at the books before you repeat it'
      : `undo_batch with batch ${batch} takes that back`;
  throw withMessage(failure, `${failure.message}; ${what}: ${how}`);
}

async function run(edit: Edit, write: () => Promise<void>): Promise<void> {
  await write().catch((error: unknown) => failWritten(error, edit.batch, edit.hasChanged));
}

function report({ batch, done, skipped }: Edit, verb: 'changed' | 'deleted'): object {
  const sorted = (all: readonly number[]) => [...all].sort((a, b) => a - b);
  return { [verb]: sorted(done), skipped: sorted(skipped), ...(done.length > 0 && undoable(batch)) };
}

/** The books of ids. @throws {ShelflistError} `book_not_found`: one has no book. */
async function readAll(
  client: Client,
  wanted: readonly number[],
  consequence: string,
  signal: AbortSignal,
): Promise<Book[]> {
  const ranges = wanted.map((each) => ({ first: each, last: each }));
  const books: Book[] = [];
  for await (const book of booksOfIds(client, ranges, findBook, { consequence, signal })) books.push(book);
  return books;
}

type NewBook = Pick<BookFields, 'title'> & Partial<BookFields>;

/** Whether an add with this batch was made before. @throws {CommandError} So long ago that the service may have forgotten its key. */
async function isRecent(client: Client, batch: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { at } = await client.batch(batch, { signal });
    if (Date.now() - at.getTime() < maxRepeatMs) return true;
  } catch (error) {
    if (hasCode(error, 'batch_not_found')) return false;
    throw error;
  }
  throw refusal('this idempotencyKey was used before, too long ago to be recognised; choose another');
}

async function* toRows(rows: readonly NewBook[]): AsyncGenerator<BookRow> {
  for (const [i, row] of rows.entries()) {
    const book = readFields((name) => row[name], false);
    yield await Promise.resolve({ line: i + 1, unit: 'row' as const, original: row, ...book });
  }
}
