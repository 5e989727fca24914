// The words of all books, for corrections and parts of words: read once, then kept up to date by the events of the store.
import type { Book } from '../../catalogue/book.ts';
import { WordList } from '../../catalogue/word-list.ts';
import { indexWords, keyWord } from '../../catalogue/words.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { visitInSlices } from '../../lib/time-slices.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { changedSince } from './changed.ts';
import type { IdRange } from './ids.ts';
import type { CoreStore, EventStore, QuestionStore } from './store.ts';

/** A query waits this long for the words of very many books, in milliseconds. They are read on for later ones. */
const maxWaitMs = 1500;
/** The maximum length of the list, in UTF-16 code units: several million words. Further words are left out. */
const maxLength = 2 ** 25;
/** If more books have changed, or more ranges of them, all words are read again. */
const maxChanged = 20_000;
const maxRanges = 500;

/** The part of a store that knows its words. */
export type WordSource = Pick<
  CoreStore & EventStore & QuestionStore,
  'version' | 'events' | 'iterate' | 'words'
>;

/** Every word of a store, as far as it has been read. */
export class Vocabulary {
  readonly #store: WordSource;
  readonly #refreshOnce: () => Promise<void>;
  #words = new WordList();
  /** The version of the store and the position of its events, at most as new as the words. */
  #read: { readonly version: string; readonly position: string } | undefined;

  constructor(store: WordSource) {
    this.#store = store;
    // Starts after all its callers have called, so that each sees the writes acknowledged before.
    this.#refreshOnce = coalesce(() => this.#refresh());
  }

  /** The words of all books, and perhaps some of books that are gone; of very many books, those read so far. */
  async read(): Promise<WordList> {
    if (this.#read?.version !== (await this.#store.version()))
      // The search itself has been answered: it must not fail because help for it comes late.
      await withTimeout(maxWaitMs, this.#refreshOnce()).catch(() => undefined);
    return this.#words;
  }

  async #refresh(): Promise<void> {
    // One after the other, and before the words: what is written meanwhile may be included, and is read again.
    const version = await this.#store.version();
    const { position, ids } = await changedSince(this.#store, this.#read?.position);
    if (ids !== undefined && areFew(ids)) await this.#readAgain(ids);
    else this.#words = await this.#readAll();
    this.#read = { version, position };
  }

  async #readAll(): Promise<WordList> {
    const list = new WordList();
    for await (const words of this.#store.words()) {
      if (list.length > maxLength) break;
      list.append(words);
    }
    return list;
  }

  /** Adds the words of changed books. */
  async #readAgain(ids: readonly IdRange[]): Promise<void> {
    const words = new Set<string>();
    for (const range of ids)
      for await (const books of this.#store.iterate(range)) await collectWords(books, words);
    await visitInSlices(this.#words, (word) => words.delete(word), undefined);
    if (this.#words.length <= maxLength) this.#words.append([...words]);
  }
}

function areFew(ids: readonly IdRange[]): boolean {
  const count = ids.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return ids.length <= maxRanges && count <= maxChanged;
}

/** As `QuestionStore.words`, for any store. */
export async function* readWords({ iterate }: Pick<CoreStore, 'iterate'>): AsyncGenerator<readonly string[]> {
  const words = new Set<string>();
  for await (const books of iterate()) await collectWords(books, words);
  yield [...words];
}

async function collectWords(books: readonly Book[], words: Set<string>): Promise<void> {
  const collect = (book: Book) => {
    for (const some of Object.values(indexWords(book).words)) for (const key of some) words.add(keyWord(key));
  };
  await visitInSlices(books, collect, undefined);
}
