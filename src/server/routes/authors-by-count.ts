// All authors by the number of their books, compactly: a catalogue of 5,000,000 books may have 1,000,000 authors.
import type { AuthorCount } from '../../catalogue/authors.ts';
import { compareFolded } from '../../catalogue/fold.ts';
import { textKey } from '../../catalogue/keyset-position.ts';
import { haveStarts } from '../../catalogue/query.ts';
import { searchTerms } from '../../catalogue/words.ts';
import { visitInSlices } from '../../lib/time-slices.ts';

/** The number of authors in one text. */
const chunkLength = 500;

/** An author in a text: the key, then the further words by which a search finds the spellings. */
const [lineEnd, wordsStart] = ['\n', '\t'];

/** The place of an author: those with as many books are ordered by key. */
export interface CountPosition {
  readonly count: number;
  readonly key: string;
}

interface CountQuery {
  /** Folded prefixes of words of the name. */
  readonly starts: readonly string[];
  readonly isDescending: boolean;
  readonly limit: number;
  readonly after: CountPosition | undefined;
}

/** The keys of the authors with one number of books, in order. */
interface Keys {
  /** Joined, so that a million of them take little more than their characters. */
  readonly chunks: string[];
  lines: string[];
}

/** The authors of all books, by the number of their books. */
export class AuthorsByCount {
  readonly #keys = new Map<number, Keys>();
  #counts: number[] = [];

  /**
   * Reads all authors.
   *
   * @param onRead Receives the number of books that are counted.
   */
  static async read(
    all: AsyncIterable<readonly AuthorCount[]>,
    signal: AbortSignal,
    onRead: (books: number) => void,
  ): Promise<AuthorsByCount> {
    const authors = new AuthorsByCount();
    let [openKey, open, words, books]: [string, number, Set<string>, number] = ['', 0, new Set(), 0];
    const close = () => {
      if (openKey === '') return;
      const own = openKey.split(' ');
      const further = [...words].filter((word) => !own.includes(word));
      authors.#add(open, further.length === 0 ? openKey : `${openKey}${wordsStart}${further.join(' ')}`);
    };
    for await (const some of all) {
      signal.throwIfAborted();
      await visitInSlices(some, ({ author, count }) => {
        const key = textKey(author);
        if (key !== openKey) {
          close();
          [openKey, open, words] = [key, 0, new Set()];
        }
        open += count;
        books += count;
        for (const term of searchTerms(author)) words.add(term);
      });
      onRead(books);
    }
    close();
    await authors.#finish();
    return authors;
  }

  #add(count: number, line: string): void {
    let keys = this.#keys.get(count);
    if (keys === undefined) this.#keys.set(count, (keys = { chunks: [], lines: [] }));
    keys.lines.push(line);
    if (keys.lines.length < chunkLength) return;
    keys.chunks.push(keys.lines.join(lineEnd));
    keys.lines = [];
  }

  async #finish(): Promise<void> {
    await visitInSlices(this.#keys.values(), (keys) => {
      if (keys.lines.length > 0) keys.chunks.push(keys.lines.join(lineEnd));
      keys.lines = [];
    });
    this.#counts = [...this.#keys.keys()].sort((a, b) => a - b);
  }

  /** A page of the authors whose names have words with these starts, and whether more follow. */
  async find(query: CountQuery): Promise<{ authors: readonly CountPosition[]; isLast: boolean }> {
    const found: CountPosition[] = [];
    const isFull = () => found.length > query.limit;
    await visitInSlices(this.#chunks(query, isFull), ([count, chunk]) => {
      for (const line of chunk.split(lineEnd)) {
        if (isFull()) return;
        const [key = ''] = line.split(wordsStart, 1);
        const { after, starts } = query;
        if (after?.count === count && compareFolded(key, after.key) <= 0) continue;
        if (starts.length > 0 && !haveStarts(line.split(/[ \t]/), starts)) continue;
        found.push({ count, key });
      }
    });
    return { authors: found.slice(0, query.limit), isLast: !isFull() };
  }

  *#chunks(
    { isDescending, after }: CountQuery,
    isFull: () => boolean,
  ): Generator<readonly [count: number, chunk: string], void, undefined> {
    const counts = isDescending ? this.#counts.toReversed() : this.#counts;
    for (const count of counts) {
      if (after !== undefined && (isDescending ? count > after.count : count < after.count)) continue;
      for (const chunk of this.#keys.get(count)?.chunks ?? []) {
        if (isFull()) return;
        const [lastKey = ''] = chunk.slice(chunk.lastIndexOf(lineEnd) + 1).split(wordsStart, 1);
        if (after?.count === count && compareFolded(lastKey, after.key) <= 0) continue;
        yield [count, chunk];
      }
    }
  }
}
