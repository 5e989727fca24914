// All authors by the number of their books, compactly: a catalogue of 5,000,000 books may have 1,000,000 authors.
import type { AuthorCount } from '../catalogue/authors.ts';
import { compareFolded } from '../catalogue/fold.ts';
import { textKey } from '../catalogue/keyset-position.ts';
import { haveStarts } from '../catalogue/query.ts';
import { searchTerms, type Term } from '../catalogue/words.ts';
import { forEachYielding, type PrioritySignal } from '../lib/scheduler.ts';
import type { NameQuery } from './authors-by-name.ts';

/** The number of authors in one text. */
const chunkLength = 500;
/** The number of matches beyond a page that a search by name collects before it drops the last ones. */
const maxBeyond = 5000;

/** An author in a text: the key, then the further words by which a search finds the spellings. */
const [lineEnd, wordsStart] = ['\n', '\t'];

/** The place of an author: those with as many books are ordered by key. */
export interface CountPosition {
  readonly count: number;
  readonly key: string;
}

interface CountQuery extends Omit<NameQuery, 'after'> {
  readonly after: CountPosition | undefined;
}

interface CountPage {
  readonly authors: readonly CountPosition[];
  /** Whether no more follow. */
  readonly isLast: boolean;
}

/** The keys of the authors with one number of books, in order. */
interface Keys {
  /** Joined, so that a million of them take little more than their characters. */
  readonly chunks: string[];
  lines: string[];
}

/** A text of authors who have this number of books. */
type Chunk = readonly [count: number, chunk: string];

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
    signal: PrioritySignal,
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
    const add = ({ author, count }: AuthorCount) => {
      const key = textKey(author);
      if (key !== openKey) {
        close();
        [openKey, open, words] = [key, 0, new Set()];
      }
      open += count;
      books += count;
      for (const term of searchTerms(author)) words.add(term);
    };
    for await (const some of all) {
      await forEachYielding(some, add, signal);
      onRead(books);
    }
    close();
    await authors.#finish(signal);
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

  async #finish(signal: PrioritySignal): Promise<void> {
    const close = (keys: Keys) => {
      if (keys.lines.length > 0) keys.chunks.push(keys.lines.join(lineEnd));
      keys.lines = [];
    };
    await forEachYielding(this.#keys.values(), close, signal);
    this.#counts = [...this.#keys.keys()].sort((a, b) => a - b);
  }

  /** A page of the authors whose names have words with these starts, by the number of their books. */
  async find(query: CountQuery, signal: PrioritySignal): Promise<CountPage> {
    const found: CountPosition[] = [];
    const isFull = () => found.length > query.limit;
    const visit = ([count, chunk]: Chunk) => {
      const { after, starts } = query;
      for (const key of keysIn(chunk, starts)) {
        if (isFull()) return;
        if (after?.count === count && compareFolded(key, after.key) <= 0) continue;
        found.push({ count, key });
      }
    };
    await forEachYielding(this.#chunks(query, isFull), visit, signal);
    return { authors: found.slice(0, query.limit), isLast: !isFull() };
  }

  /** The same page by name. It reads all authors. */
  async findByName(
    { starts, isDescending, limit, after }: NameQuery,
    signal: PrioritySignal,
  ): Promise<CountPage> {
    const compare = (a: string, b: string) => (isDescending ? compareFolded(b, a) : compareFolded(a, b));
    let found: CountPosition[] = [];
    const sort = () => {
      found = found.sort((a, b) => compare(a.key, b.key)).slice(0, limit + 1);
    };
    const visit = ([count, chunk]: Chunk) => {
      for (const key of keysIn(chunk, starts))
        if (after === undefined || compare(after, key) < 0) found.push({ count, key });
      if (found.length > limit + maxBeyond) sort();
    };
    const all = this.#chunks({ isDescending: false, after: undefined }, () => false);
    await forEachYielding(all, visit, signal);
    sort();
    return { authors: found.slice(0, limit), isLast: found.length <= limit };
  }

  *#chunks(
    { isDescending, after }: Pick<CountQuery, 'isDescending' | 'after'>,
    isFull: () => boolean,
  ): Generator<Chunk, void, undefined> {
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

/** Whether a text of words contains these starts of words: a quick test that most texts fail. */
export function contains(text: string, terms: readonly Term[]): boolean {
  return terms.every((term) => term.some((start) => text.includes(start)));
}

/** The keys of a text whose authors have words with these starts. */
function* keysIn(chunk: string, starts: readonly Term[]): Generator<string, void, undefined> {
  if (!contains(chunk, starts)) return;
  for (const line of chunk.split(lineEnd)) {
    if (!contains(line, starts)) continue;
    const [key = ''] = line.split(wordsStart, 1);
    if (starts.length === 0 || haveStarts(line.split(/[ \t]/), starts)) yield key;
  }
}
