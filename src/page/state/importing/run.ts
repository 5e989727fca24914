import { DuplicateIndex } from '../../../catalogue/duplicate-index.ts';
import type { ShelflistError } from '../../../catalogue/errors.ts';
import type { UndoResult } from '../../../client/client.ts';
import { asServiceError, client, isAbort, isOnline } from '../service.ts';
import { newBatch } from '../../../catalogue/batch.ts';
import { list } from '../live.ts';
import { createStore } from '../store.ts';
import { job, type Preview } from './job.ts';
import { addOutcomes, nothingDone, type Outcome } from './outcome.ts';
import { readHighestId, withoutStored } from './resume.ts';
import { outcomeOf, planRows, sendFresh, sendUpdates, type Plan, type SendOptions } from './send-rows.ts';

/** One request: large enough for the service to write efficiently, small enough for early progress. */
const chunkRows = 500;

/** How far an import is. `paused`: a request failed; it can go on from there. */
export interface RunState {
  readonly phase: 'comparing' | 'sending' | 'paused' | 'stopping' | 'done' | 'undoing';
  readonly outcome: Outcome;
  readonly error?: ShelflistError | undefined;
  readonly undone?: Pick<UndoResult, 'undone' | 'left'> | undefined;
  /** The number of rows of which it is not known whether they were imported: their answer was lost. */
  readonly uncertain?: number;
}

/** Sends the rows of a file to the service, chunk by chunk. All of it is one batch. */
export class Run {
  readonly state = createStore<RunState>({ phase: 'comparing', outcome: nothingDone });
  readonly #preview: Preview;
  readonly #batch = newBatch();
  readonly #abort = new AbortController();
  readonly #stopWaiting = isOnline.subscribe(() => {
    if (isOnline.value && this.state.value.phase === 'paused') void this.go();
  });
  #known: DuplicateIndex | undefined;
  #next = 0;
  /** What is to be done with the next chunk. It is planned once: its rows are known from then on. */
  #plan: Plan | undefined;
  /** The highest id before the chunk was sent; `undefined`: it was not sent yet. */
  #highestId: number | undefined;

  constructor(preview: Preview) {
    this.#preview = preview;
  }

  /** Begins, or goes on after a failure. */
  async go(): Promise<void> {
    addEventListener('beforeunload', askToStay);
    this.#set({ phase: this.#needsBooks ? 'comparing' : 'sending', error: undefined });
    try {
      if (this.#needsBooks) this.#known = await this.#readBooks();
      this.#set({ phase: 'sending' });
      while (this.#next < this.#preview.table.rows.length && !this.#abort.signal.aborted)
        await this.#sendChunk();
      await this.#finish();
    } catch (error) {
      const failure = isAbort(error) ? undefined : asServiceError(error);
      if (failure === undefined || this.#abort.signal.aborted) await this.#finish();
      else this.#set({ phase: 'paused', error: failure });
    }
  }

  /** Whether something may have been stored. */
  get hasSent(): boolean {
    return this.#next > 0 || this.#highestId !== undefined;
  }

  /** Stops after the request that is on its way: what it does is then known, and can be undone. */
  stop(): void {
    const { phase } = this.state.value;
    if (phase === 'done' || phase === 'undoing') return;
    this.#abort.abort();
    this.#set({ phase: 'stopping', error: undefined });
    if (phase === 'paused') void this.#finish();
  }

  /** Takes back what the import did. */
  async undo(): Promise<void> {
    this.#set({ phase: 'undoing', error: undefined });
    try {
      this.#set({ undone: await client.undo(this.#batch) });
    } catch (error) {
      const failure = asServiceError(error);
      const { added, updated } = this.state.value.outcome;
      const isNothing = failure.code === 'not_found' && added + updated === 0;
      this.#set(isNothing ? { undone: { undone: 0, left: [] } } : { error: failure });
    }
    this.#set({ phase: 'done' });
    void list.refresh();
  }

  get #needsBooks(): boolean {
    return this.#preview.onDuplicate !== 'add' && this.#known === undefined;
  }

  #set(changes: Partial<RunState>): void {
    this.state.set({ ...this.state.value, ...changes });
  }

  async #finish(): Promise<void> {
    if (this.#plan !== undefined && this.#highestId !== undefined) await this.#settle(this.#plan);
    removeEventListener('beforeunload', askToStay);
    this.#stopWaiting();
    this.#set({ phase: 'done' });
    void list.refresh();
  }

  /** Takes about 340 bytes of memory a book, of texts as long as those of novels: 34 MB for 100,000. */
  async #readBooks(): Promise<DuplicateIndex> {
    const known = new DuplicateIndex((text) => text);
    for await (const book of client.books({}, { signal: this.#abort.signal })) known.addBook(book);
    return known;
  }

  async #sendChunk(): Promise<void> {
    const { table, mapping, onDuplicate } = this.#preview;
    const options: SendOptions = { mapping, onDuplicate, batch: this.#batch, known: this.#known };
    const rows = table.rows.slice(this.#next, this.#next + chunkRows);
    const plan = (this.#plan ??= planRows(rows, options));
    const isRepeated = this.#highestId !== undefined;
    this.#highestId ??= plan.fresh.length === 0 ? 0 : await readHighestId();
    const fresh = isRepeated ? await this.#notStored(plan) : plan.fresh;
    const refused = [...(await sendFresh(fresh, options)), ...(await sendUpdates(plan, options))];
    this.#plan = this.#highestId = undefined;
    this.#next += rows.length;
    this.#set({ outcome: addOutcomes(this.state.value.outcome, outcomeOf(plan, refused)) });
  }

  /** The new books of a chunk without an answer that the service has not stored. */
  #notStored({ fresh: rows }: Plan): Promise<Plan['fresh']> {
    const { added: addedBefore } = this.state.value.outcome;
    return withoutStored({ rows, batch: this.#batch, addedBefore, highestId: this.#highestId ?? 0 });
  }

  /** Counts what a chunk without an answer has added, or says that it cannot be known. */
  async #settle(plan: Plan): Promise<void> {
    const { fresh, updates } = plan;
    let [added, isKnown] = [0, updates.length === 0];
    try {
      added = fresh.length - (await this.#notStored(plan)).length;
    } catch (error) {
      asServiceError(error);
      isKnown = false;
    }
    const outcome = addOutcomes(this.state.value.outcome, { ...nothingDone, added });
    this.#set({ outcome, uncertain: isKnown ? 0 : fresh.length - added + updates.length });
  }
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Imports the rows of the preview. */
export function startImport(): void {
  const { value } = job;
  if (value.step !== 'preview') return;
  const run = new Run(value);
  job.set({ step: 'run', preview: value, run });
  void run.go();
}
