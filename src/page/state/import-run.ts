import { newBatchId, newImportId } from '../../catalogue/batch.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import type { UndoResult } from '../../client/client.ts';
import type { FileImport, Outcome, Source } from './import-file.ts';
import { describeError, language, texts } from '../texts/current.ts';
import { askToStay, list } from './live.ts';
import { asServiceError, client, isOnline } from './service.ts';
import { lazyScript } from './scripts.ts';
import { createSignal } from './signal.ts';

/** The name of the script that reads files. It is beside this one; the build inserts it. */
declare const importScript: string;
const loadScript = lazyScript<typeof import('./import-file.ts')>(importScript);

/** @throws {TypeError} The script that reads files cannot be loaded. */
export async function importFile(options: Omit<FileImport, 'language' | 'lookUp'>): Promise<Outcome> {
  return (await loadScript()).importFile({
    ...options,
    language,
    lookUp: (isbn, signal) => client.lookUpIsbn(isbn, { signal }),
  });
}

/** Why a file could not be read, or not imported. */
export function describeFailure(error: unknown): string {
  if (error instanceof ShelflistError) return describeError(error);
  // It was moved, deleted or changed while it was read, or is a folder.
  if (error instanceof DOMException) return texts.importing.unreadable;
  // A script cannot be loaded: without a connection, or because the service has newer ones since.
  if (!(error instanceof TypeError)) reportError(error);
  return texts.importing.notLoaded;
}

/** How far an import is. `paused`: a request failed; it can go on from there. */
export interface RunState {
  readonly phase: 'sending' | 'paused' | 'stopping' | 'done' | 'undoing';
  /** `undefined` before the first chunk is done. */
  readonly outcome: Outcome | undefined;
  /** Of the last request, in words. */
  readonly error?: string | undefined;
  readonly undone?: Pick<UndoResult, 'undone' | 'left'> | undefined;
  /** Whether it ended with a request without an answer, which the service may have carried out, or may yet. */
  readonly isUnsure?: boolean;
}

/** Imports the books of a file. All of it is one batch. */
export class ImportRun {
  readonly state = createSignal<RunState>({ phase: 'sending', outcome: undefined });
  #batch = newBatchId();
  readonly #stop = new AbortController();
  /** Sends the request again that failed. */
  #goOn: () => void = nothing;
  #pausing: Promise<void> | undefined;

  async start(file: Source & Pick<FileImport, 'isMatched' | 'onDuplicate'>): Promise<void> {
    const { signal } = this.#stop;
    this.#batch = newImportId(file.fileName);
    const forget = isOnline.subscribe(() => {
      if (isOnline.value) this.#goOn();
    });
    addEventListener('beforeunload', askToStay);
    try {
      const outcome = await importFile({
        ...file,
        client,
        dryRun: false,
        batch: this.#batch,
        signal,
        onFailure: (error) => this.#pause(asServiceError(error)),
        onProgress: (now) => {
          this.#set({ outcome: now });
        },
      });
      const { failure } = outcome;
      this.#set({ outcome, isUnsure: failure instanceof ShelflistError });
      if (failure !== undefined && !signal.aborted) this.#set({ error: describeFailure(failure) });
    } catch (error) {
      this.#set({ error: describeFailure(error) });
    } finally {
      forget();
      removeEventListener('beforeunload', askToStay);
      this.#set({ phase: 'done' });
      void list.refresh();
    }
  }

  /** Waits until somebody goes on, or the service can be reached. Two requests may fail at once: they wait together. */
  #pause(failure: ShelflistError): Promise<void> {
    this.#set({ phase: 'paused', error: describeError(failure) });
    return (this.#pausing ??= new Promise((resolve, reject) => {
      this.#goOn = () => {
        this.#goOn = nothing;
        this.#pausing = undefined;
        this.#set({ phase: 'sending', error: undefined });
        resolve();
      };
      this.#stop.signal.addEventListener('abort', () => {
        reject(failure);
      });
    }));
  }

  goOn(): void {
    this.#goOn();
  }

  /** Stops after the request that is on its way: what it does is then known, and can be undone. */
  stop(): void {
    const { phase } = this.state.value;
    if (phase !== 'sending' && phase !== 'paused') return;
    this.#goOn = nothing;
    this.#set({ phase: 'stopping', error: undefined });
    this.#stop.abort();
  }

  /** Takes back what the import did. */
  async undo(): Promise<void> {
    this.#set({ phase: 'undoing', error: undefined });
    addEventListener('beforeunload', askToStay);
    try {
      this.#set({ undone: await client.undo(this.#batch) });
    } catch (error) {
      const { added = 0, updated = 0 } = this.state.value.outcome ?? {};
      const isNothing = hasCode(error, 'batch_not_found') && added + updated === 0;
      if (isNothing) this.#set({ undone: { undone: 0, left: [] } });
      else this.#set({ error: describeFailure(error) });
    }
    removeEventListener('beforeunload', askToStay);
    this.#set({ phase: 'done' });
    void list.refresh();
  }

  #set(changes: Partial<RunState>): void {
    this.state.set({ ...this.state.value, ...changes });
  }
}

const nothing = () => undefined;
