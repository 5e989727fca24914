// The log of the books: what history, trash, batches and undo read of the documents, and change.
import type { Filter } from 'mongodb';
import { isSameBook } from '../contract/change.ts';
import { latestMs } from '../contract/history-clock.ts';
import { notAPosition, type Attribution, type HistoryRequest } from '../contract/history.ts';
import type {
  BatchRange,
  BookLog,
  ListedBatch,
  LoggedBatch,
  LoggedDelete,
  Restoration,
} from '../contract/log.ts';
import { ofBatch } from './batches.ts';
import { findBatch, listBatches } from './batch-summaries.ts';
import {
  compareAndSetAll,
  fence,
  removal,
  restoration,
  type ChangeMetadata,
  type StateChange,
} from './change.ts';
import { entriesOf, logOf, type DocumentLog } from './document-log.ts';
import { readDocuments, type QueryContext } from './reading.ts';
import { anyId, bookProjection, tombstones, type BookDocument } from './schema.ts';

/** The time limit of a search for some books, in milliseconds. */
const maxTimeMS = 2000;

/** The log of the books, within the deadline of one call. */
export class MongoLog implements BookLog<DocumentLog> {
  readonly #context: QueryContext;

  constructor(context: QueryContext) {
    this.#context = context;
  }

  async idsOfBatch(batch: string, { before, limit, except }: BatchRange): Promise<readonly number[]> {
    const { books } = this.#context.database;
    const options = { projection: { _id: 1 }, sort: { _id: -1 }, limit, maxTimeMS } as const;
    const others = except === undefined ? {} : { $expr: beginsOtherwise(except) };
    const filter = { $and: [{ _id: anyId }, { _id: { $lt: before } }, ofBatch(batch), others] };
    return (await books.find(filter, options).toArray()).map(({ _id }) => _id);
  }

  async changesOf(ids: readonly number[]): Promise<readonly DocumentLog[]> {
    const { database, signal } = this.#context;
    signal.throwIfAborted(); // An undo and a revert try again while other writes come first.
    if (ids.length === 0) return [];
    const projection = { ...bookProjection, rev: 1, by: 1, deletedAt: 1, history: 1, creation: 1 };
    const options = { projection, batchSize: ids.length + 1, maxTimeMS };
    const found = await database.books.find({ _id: { $in: [...ids] } }, options).toArray();
    return found.map((state) => {
      const { history } = state as { history?: unknown };
      const historyLength = Array.isArray(history) ? history.length : history === undefined ? 0 : -1;
      const { rev } = state;
      const isRevisionLogged =
        typeof rev === 'string' && entriesOf({ history }).some((entry) => entry.rev === rev);
      return logOf({ ...state, historyLength, isRevisionLogged });
    });
  }

  /** By compare-and-set: if some of many were changed by others, the next attempt finds out which ones. */
  async apply(changes: readonly Restoration<DocumentLog>[], by: Attribution): Promise<readonly number[]> {
    const { books, clock, order } = this.#context.database;
    const { rules } = await order.refresh();
    const stamp = { ...by, at: clock.stamp(), rules };
    const isDone = await compareAndSetAll(
      { books },
      changes.map((change) => updateFor(change, stamp)),
    );
    return isDone ? [] : changes.map(({ logged }) => logged.id);
  }

  /** As many as the server sends at once. A position is a time and an id. */
  async deleted({ limit, after }: HistoryRequest): Promise<readonly LoggedDelete[]> {
    const options = {
      projection: { ...bookProjection, deletedAt: 1, history: { $slice: -1 } },
      sort: { deletedAt: -1, _id: -1 },
      limit,
      batchSize: limit,
    } as const;
    const filter = { $and: [tombstones, ...filterAfter(after)] };
    for await (const found of readDocuments(this.#context, filter, options))
      return found.map(({ document, book }) => {
        const at = new Date(Number(document.deletedAt));
        const batch = entriesOf(document).at(-1)?.batch;
        return { position: `${at.getTime()}-${document._id}`, at, batch, book };
      });
    return [];
  }

  batch(id: string): Promise<LoggedBatch | undefined> {
    return findBatch(this.#context, id);
  }

  batches(request: HistoryRequest): Promise<readonly ListedBatch[]> {
    return listBatches(this.#context, request);
  }
}

function updateFor({ logged, to }: Restoration<DocumentLog>, stamp: ChangeMetadata): StateChange {
  const { state } = logged;
  const book = logged.book === 'damaged' ? undefined : logged.book;
  if (to === undefined) return { state, update: removal(state, book, stamp) };
  const isSame = book !== undefined && isSameBook(book, to);
  return { state, update: isSame ? fence(stamp.rules, book) : restoration(state, book, to, stamp) };
}

/** An expression: the newest entry in the history of a document belongs to no batch that begins so. */
function beginsOtherwise(prefix: string) {
  return { $not: [{ $eq: [{ $indexOfBytes: [newestBatch, prefix] }, 0] }] };
}

/** The batch of the newest entry in the history of a document; `''` for any other value. */
const newestBatch = {
  $let: {
    vars: { newest: { $cond: [{ $isArray: '$history' }, { $last: '$history' }, null] } },
    in: { $cond: [{ $eq: [{ $type: '$$newest.batch' }, 'string'] }, '$$newest.batch', ''] },
  },
};

const latest = new Date(latestMs);

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
