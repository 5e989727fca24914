// The queries of the reading threads, by the names of their tasks. Each gets the reader of its thread, and then its arguments.
import { runSync } from '../../lib/gensync.ts';
import type { BatchesRequest, HistoryRequest, SummaryOptions } from '../contract/history.ts';
import { readBatch, readBatches, readHistory, readTrash } from '../contract/log.ts';
import { readAuthors } from './authors.ts';
import { count } from './count.ts';
import { findDuplicatesOf, readSame, readSameOf } from './duplicates.ts';
import { eventsSince } from './events.ts';
import { find, list } from './find.ts';
import { ChangeLog } from './log.ts';
import type { Reader } from './reading.ts';
import { statistics } from './statistics.ts';
import { suggest } from './suggest.ts';
import { readWords } from './words.ts';

export const queries = {
  list,
  find,
  findDuplicatesOf,
  readSame,
  readSameOf,
  count,
  statistics,
  suggest,
  authors: readAuthors,
  words: readWords,
  batch: (reader: Reader, id: string, options?: SummaryOptions) =>
    runSync(readBatch(new ChangeLog(reader), id, options)),
  batches: (reader: Reader, request: BatchesRequest) => runSync(readBatches(new ChangeLog(reader), request)),
  history: (reader: Reader, id: number) =>
    runSync(readHistory(new ChangeLog(reader), id, reader.historyBegin)),
  trash: (reader: Reader, request: HistoryRequest) =>
    runSync(readTrash(new ChangeLog(reader), request, reader.historyBegin)),
  eventsSince,
};

type Queries = typeof queries;

/** The queries as tasks. */
export type QueryTasks = {
  [Name in keyof Queries]: Queries[Name] extends (reader: Reader, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never;
};
