// The words of all books, for corrections and parts of words: read once, then kept up to date by the events of the store.
import type { Book } from '../../catalogue/book.ts';
import { WordList } from '../../catalogue/word-list.ts';
import { indexWords, keyWord } from '../../catalogue/words.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { forEachYielding } from '../../lib/scheduler.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { changedSince } from '../contract/changed.ts';
import { allIds, type IdRange } from '../contract/ids.ts';
import type { CoreStore, EventStore, QuestionStore } from '../contract/store.ts';

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

/** The words as a caller gets them. */
export interface KnownWords {
  /** The words of all books, and perhaps some of books that are gone; of very many books, those read so far. */
  readonly words: WordList;
  /** Whether they include every write acknowledged before the call. Otherwise they come late: the same call may soon know more. */
  readonly isCurrent: boolean;
}

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

  async read(): Promise<KnownWords> {
    const isKnown = this.#read?.version === (await this.#store.version());
    // The search itself has been answered: it must not fail because help for it comes late.
    const isCurrent =
      isKnown ||
      (await withTimeout(maxWaitMs, this.#refreshOnce()).then(
        () => true,
        () => false,
      ));
    return { words: this.#words, isCurrent };
  }

  async #refresh(): Promise<void> {
    // One after the other, and before the words: what is written meanwhile may be included, and is read again.
    const version = await this.#store.version();
    const { position, ids } = await changedSince(this.#store, this.#read?.position);
    if (ids !== undefined && areFew(ids)) await this.#readAgain(ids);
    else this.#words = await toList(this.#store.words());
    this.#read = { version, position };
  }

  /** Adds the words of changed books. */
  async #readAgain(ids: readonly IdRange[]): Promise<void> {
    const words = new Set(await toList(readWords(this.#store, ids)));
    await forEachYielding(this.#words, (word) => words.delete(word), undefined);
    fill(this.#words, [...words]);
  }
}

/** Reads words until the list is full. */
async function toList(source: AsyncIterable<readonly string[]>): Promise<WordList> {
  const list = new WordList();
  for await (const words of source) if (!fill(list, words)) break;
  return list;
}

/** Adds words while there is room. Returns whether there was enough for all. */
function fill(list: WordList, words: readonly string[]): boolean {
  let room = maxLength - list.length;
  const fitting = words.filter((word) => (room -= word.length + 1) >= 0);
  list.append(fitting);
  return fitting.length === words.length;
}

function areFew(ids: readonly IdRange[]): boolean {
  const count = ids.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return ids.length <= maxRanges && count <= maxChanged;
}

/** As `QuestionStore.words`, for any store: the new words of each page of books, so that a reader can stop when it has enough. */
export async function* readWords(
  store: Pick<CoreStore, 'iterate'>,
  ids: readonly IdRange[] = [allIds],
): AsyncGenerator<readonly string[]> {
  const known = new Set<string>();
  for (const range of ids)
    for await (const books of store.iterate(range)) {
      const words: string[] = [];
      const collect = (word: string) => {
        if (known.has(word)) return;
        known.add(word);
        words.push(word);
      };
      const read = (book: Book) => {
        for (const keys of Object.values(indexWords(book).words)) keys.map(keyWord).forEach(collect);
      };
      await forEachYielding(books, read, undefined);
      if (words.length > 0) yield words;
    }
}
