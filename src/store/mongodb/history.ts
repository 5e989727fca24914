// Earlier states of a book, reverts, and the trash, from the history in each document.
import type { Filter } from 'mongodb';
import { fieldsOf, toBook, type Book } from '../../catalogue/book.ts';
import {
  notAPosition,
  takeStates,
  type DeletedBook,
  type EarlierState,
  type TrashPage,
  type HistoryPage,
} from '../contract/history.ts';
import { latestMs } from '../contract/history-clock.ts';
import { createPage } from '../contract/page.ts';
import { readDocuments, type Reading } from './reading.ts';
import {
  bookProjection,
  decodeBook,
  tombstones,
  type BookDocument,
  type Database,
  type HistoryEntry,
} from './schema.ts';
import {
  isTombstone,
  type State,
  changeState,
  fence,
  restoration,
  type Changing,
  type Condition,
} from './change.ts';
import { checkExpected, isSameBook } from '../contract/change.ts';

/** A document with its log. Another program may have stored anything in it. */
export interface LoggedState extends State {
  readonly history?: unknown;
  readonly creation?: unknown;
}

/** Reads one document with its log. */
async function readLogged(database: Pick<Database, 'books'>, id: number): Promise<LoggedState | undefined> {
  return (await readAllLogged(database, [id])).get(id);
}

/** Reads documents with their logs, by id. */
export async function readAllLogged(
  { books }: Pick<Database, 'books'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LoggedState>> {
  const projection = { ...bookProjection, rev: 1, deletedAt: 1, history: 1, creation: 1 };
  const options = { projection, batchSize: ids.length + 1, maxTimeMS: 2000 };
  const found = await books.find({ _id: { $in: [...ids] } }, options).toArray();
  return new Map(
    found.map((state) => {
      const { history } = state as { history?: unknown };
      const historyLength = Array.isArray(history) ? history.length : history === undefined ? 0 : -1;
      return [state._id, { ...state, historyLength }];
    }),
  );
}

/** The entries of this store in the log, oldest first. */
export function entriesOf({ history }: LoggedState): HistoryEntry[] {
  return Array.isArray(history) ? history.filter(isEntry) : [];
}

const kinds: readonly unknown[] = ['updated', 'deleted', 'reverted'] satisfies HistoryEntry['change'][];

function isEntry(value: unknown): value is HistoryEntry {
  const { rev, at, change } = Object(value) as Partial<Record<string, unknown>>;
  return (rev === null || typeof rev === 'string') && at instanceof Date && kinds.includes(change);
}

/** The batch that created the book, if a batch did. */
export function creatorOf({ creation }: LoggedState): string | undefined {
  const { batch } = Object(creation) as { batch?: unknown };
  return typeof batch === 'string' ? batch : undefined;
}

/** The state before an entry, if it is kept. A tombstone still has the fields of the book, however large. */
export function stateBefore(state: LoggedState, entry: HistoryEntry): Book | undefined {
  const isLastState =
    entry.isLost === true && entry.change === 'deleted' && entry === entriesOf(state).at(-1);
  if (isLastState && isTombstone(state)) return decodeBook(state);
  return toBook({ ...entry, id: state._id });
}

/**
 * The earlier states of a document, newest first.
 *
 * @param since Older changes do not count, in milliseconds since 1970.
 */
export function statesOf(
  state: LoggedState,
  since: number,
): { version: string; entry: HistoryEntry; book: Book }[] {
  return entriesOf(state)
    .filter(({ at }) => at.getTime() >= since)
    .reverse()
    .flatMap((entry) => {
      const book = stateBefore(state, entry);
      // A state of another program has no revision.
      return book === undefined ? [] : { version: entry.rev ?? `at-${entry.at.getTime()}`, entry, book };
    });
}

/** The state that the last change replaced; `undefined` if there is none or it is not kept, even if an older one is. */
function lastStateOf(state: LoggedState, since: number): Book | undefined {
  const last = entriesOf(state).findLast(
    (entry) => entry.isLost === true || stateBefore(state, entry) !== undefined,
  );
  return last && last.at.getTime() >= since ? stateBefore(state, last) : undefined;
}

/** As `BookStore.history`. */
export async function readHistory(
  database: Pick<Database, 'books'>,
  id: number,
  since: number,
): Promise<readonly EarlierState[] | undefined> {
  const state = await readLogged(database, id);
  if (state === undefined) return undefined;
  const found = takeStates(
    statesOf(state, since).map(({ version, entry, book }) => ({
      version,
      at: entry.at,
      change: entry.change,
      ...fieldsOf(book),
      ...(entry.batch !== undefined && { batch: entry.batch }),
    })),
  );
  return found.length > 0 || !isTombstone(state) ? found : undefined;
}

/**
 * Gives a book an earlier state, by compare-and-set.
 *
 * @throws {ShelflistError} `precondition_failed`
 */
export function revertBook(
  changing: Pick<Changing, 'books' | 'signal'>,
  id: number,
  version: string | undefined,
  { expected, since, ...stamp }: Condition & { readonly since: number },
): Promise<Book | undefined> {
  return changeState(
    changing,
    () => readLogged(changing, id),
    (state, book) => {
      checkExpected(expected, book);
      if (state === undefined) return undefined;
      const earlier =
        version === undefined
          ? lastStateOf(state, since)
          : statesOf(state, since).find((each) => each.version === version)?.book;
      if (earlier === undefined) return undefined;
      const isSame = book !== undefined && isSameBook(book, earlier);
      return {
        value: earlier,
        update: isSame ? fence(stamp.rules, book) : restoration(state, book, earlier, stamp),
      };
    },
  );
}

const latest = new Date(latestMs);

/** As `BookStore.trash`. */
export async function readTrash(
  reading: Reading,
  { limit, after }: HistoryPage,
  since: number,
): Promise<TrashPage> {
  const page = createPage(limit);
  const books: DeletedBook[] = [];
  let next: string | undefined;
  const options = {
    projection: { ...bookProjection, deletedAt: 1, history: { $slice: -1 } },
    sort: { deletedAt: -1, _id: -1 },
    limit: page.maxBooks + 1,
    batchSize: page.maxBooks + 1,
  } as const;
  const isKept = { deletedAt: { $gte: new Date(Math.max(0, since)) } };
  let rows = 0;
  for await (const batch of readDocuments(
    reading,
    { $and: [tombstones, isKept, ...filterAfter(after)] },
    options,
  )) {
    for (const { document, book } of batch) {
      if (page.isFull || rows++ === page.maxBooks) return { books, next };
      const { deletedAt } = document;
      if (!(deletedAt instanceof Date)) continue;
      next = `${deletedAt.getTime()}-${document._id}`;
      if (book === undefined) continue;
      const batch = entriesOf(document as unknown as LoggedState).at(-1)?.batch;
      books.push({ ...book, deletedAt, ...(batch !== undefined && { batch }) });
      page.add(book);
    }
  }
  return { books, next: undefined };
}

/** The tombstones after a position, which is a time and an id. */
function filterAfter(after: string | undefined): Filter<BookDocument>[] {
  if (after === undefined) return [{ deletedAt: { $lte: latest } }];
  const [, time, id] = /^(-?[0-9]{1,16})-([0-9]{1,16})$/.exec(after) ?? [];
  const deletedAt = new Date(Number(time));
  if (Number.isNaN(deletedAt.getTime())) throw notAPosition();
  return [
    { deletedAt: { $lte: deletedAt } },
    { $or: [{ deletedAt: { $lt: deletedAt } }, { deletedAt, _id: { $lt: Number(id) } }] },
  ];
}
