// The queries that run in a thread: one method for each, which calls a function of `find.ts`, `history.ts`, `undo.ts` and so on.
import type { BookFields, Book } from '../../catalogue/book.ts';
import type { SuggestedField } from '../../catalogue/fields.ts';
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import type { BookFilter } from '../../catalogue/query.ts';
import type { Statistics } from '../../catalogue/statistics.ts';
import type { Suggestion } from '../../catalogue/suggestion.ts';
import type { ChangeEvents } from '../contract/events.ts';
import type { AuthorsPart } from '../contract/authors.ts';
import type { BatchPage, BatchSummary, EarlierState, TrashPage, HistoryPage } from '../contract/history.ts';
import type { IdRange } from '../contract/ids.ts';
import type { Page } from '../contract/page.ts';
import { defaultHistory } from '../contract/store.ts';
import type { Connection } from './binding.ts';
import { readAuthors } from './authors.ts';
import { count } from './count.ts';
import { findSame, readSame, readSameOf, type SamePart } from './duplicates.ts';
import { eventsSince, type LogPlace } from './events.ts';
import { find, list } from './find.ts';
import { readHistory, readTrash } from './history.ts';
import { Reader } from './reading.ts';
import { statistics } from './statistics.ts';
import { suggest } from './suggest.ts';
import { readBatch, readBatches } from './undo.ts';
import { readWords, type WordsPart } from './words.ts';

/** The queries of the reading thread. They block, so this must run in a worker thread. */
export class Searcher {
  readonly #reader: Reader;
  readonly #historyDays: number;

  /** @param isStopped Whether the caller of the query no longer waits. The query is then abandoned, too. */
  constructor(db: Connection, isStopped = () => false, historyDays: number = defaultHistory.historyDays) {
    this.#reader = new Reader(db, isStopped);
    this.#historyDays = historyDays;
  }

  /** Runs one query within its time limit, on one state of the file. */
  answer<T>(question: (searcher: this) => T): T {
    return this.#reader.answer(() => question(this));
  }

  list(range: IdRange): Page {
    return list(this.#reader, range);
  }

  find(filter: BookFilter, limit: number, after: KeysetPosition | undefined, byText = false): Page {
    return find(this.#reader, filter, limit, after, byText);
  }

  findSame(wanted: readonly BookFields[]): (Readonly<Book> | undefined)[] {
    return findSame(this.#reader, wanted);
  }

  readSame(after: string | undefined): SamePart {
    return readSame(this.#reader, after);
  }

  readSameOf(books: readonly BookFields[]): number[][] {
    return readSameOf(this.#reader, books);
  }

  count(filter: BookFilter): number {
    return count(this.#reader, filter);
  }

  statistics(filter: BookFilter): Statistics {
    return statistics(this.#reader, filter);
  }

  suggest(name: SuggestedField, filter: BookFilter, limit: number): Suggestion[] {
    return suggest(this.#reader, name, filter, limit);
  }

  authors(after: KeysetPosition | undefined): AuthorsPart {
    return readAuthors(this.#reader, after);
  }

  words(after: string | undefined): WordsPart {
    return readWords(this.#reader, after);
  }

  batch(id: string): BatchSummary | undefined {
    return readBatch(this.#reader, id);
  }

  batches(request: HistoryPage): BatchPage {
    return readBatches(this.#reader, request);
  }

  history(id: number): readonly EarlierState[] | undefined {
    return readHistory(this.#reader.statements, id, this.#historyDays);
  }

  trash(request: HistoryPage): TrashPage {
    return readTrash(this.#reader.statements, request, this.#historyDays);
  }

  eventsSince(place: LogPlace): ChangeEvents {
    return eventsSince(this.#reader.statements, place);
  }
}
