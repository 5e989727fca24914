// The books of a JSON text: in an array, in lists within objects and arrays, or each under a name of its own.
import { isObject } from '../formats/csl.ts';
import { FileError } from '../formats/problems.ts';
import { maxRecordLength } from '../formats/record.ts';
import { ArraySplitter } from '../lib/json.ts';

/** How well a value tells a book; 0 if it is none. */
export type ScoreOf = (value: unknown) => number;
/** Of an object with a title. Less is a name, which anything may have. */
export const titled = 3;
/** Of an object that is a book for certain. */
export const certain = 5;

/** A member that has the books, whatever the object has. */
const certainName = 'books';
/** Of objects and arrays that are no books, down to a list of books. */
const maxDepth = 8;

/** What the lists of books within a value tell. */
interface Lists {
  /** How well the best of their elements tells a book; 0 if there is none. */
  readonly score: number;
  /** The same of the elements of the value itself. */
  readonly direct: number;
}

const none: Lists = { score: 0, direct: 0 };
const most = (scores: readonly number[]) => scores.reduce((best, each) => Math.max(best, each), 0);

/**
 * Judges the lists of books within a value. A list within a book is one if it tells books better, as below the name of a library.
 *
 * @param isElement Whether the value is in a list. Then it is rather a book with chapters than a shelf with books.
 */
export function judgeLists(value: unknown, scoreOf: ScoreOf, isElement = false, depth = 0): Lists {
  if (depth > maxDepth) return none;
  if (Array.isArray(value)) {
    const direct = most(value.map(scoreOf));
    const inner = value.map((each) => judgeLists(each, scoreOf, true, depth + 1).score);
    return { score: Math.max(direct, most(inner)), direct };
  }
  if (!isObject(value)) return none;
  const own = scoreOf(value);
  if (isElement && own === certain) return none;
  const isMeant = (name: string, score: number) => {
    if (!isElement) return score > own || name === certainName;
    return score > own && (name === certainName || (own < titled && score > titled));
  };
  const lists = Object.entries(value).map(([name, each]) => {
    const { score } = judgeLists(each, scoreOf, false, depth + 1);
    return isMeant(name, score) ? score : 0;
  });
  const score = most(lists);
  if (isElement || own > 0 || score > 0) return { score, direct: 0 };
  const direct = most(Object.values(value).map(scoreOf));
  // Members with no more than a name are settings, or anything else.
  return direct < 2 ? none : { score: direct, direct };
}

/** An object or array that is read member by member. */
interface Level {
  readonly splitter: ArraySplitter;
  readonly isObject: boolean;
  /** Whether each element is meant to be a book. */
  readonly isList: boolean;
  readonly depth: number;
  /** Whether the incomplete element is read as a whole. */
  isHeld: boolean;
}

interface ListReaderOptions<Row> {
  readonly scoreOf: ScoreOf;
  /** The least score of a list of books. */
  readonly least: number;
  /** Reads a book. `position` counts from 1; `text` is its JSON, below a name in an object. */
  readonly read: (value: unknown, text: string, position: number) => Row;
}

/** In characters: an object or array that is longer is read while it arrives. */
const maxHeld = 64 * 1024;

/** Reads the books of a JSON object or array while it arrives, in the order of the text, in bounded memory and linear time. */
export class ListReader<Row> {
  readonly #options: ListReaderOptions<Row>;
  readonly #isList: boolean;
  #levels: Level[] | undefined;
  #count = 0;

  /** @param isList Whether the elements of the outermost value are books. */
  constructor(options: ListReaderOptions<Row>, isList: boolean) {
    this.#options = options;
    this.#isList = isList;
  }

  /** Takes the next piece of text; yields the books that end in it. @throws {FileError} It is not JSON. */
  *push(piece: string): Generator<Row> {
    const text = this.#levels === undefined ? piece.replace(/^[ \t\r\n]+/, '') : piece;
    if (text === '') return;
    yield* this.#checked(() => {
      if (this.#levels !== undefined) return this.#walk(text, this.#levels);
      if (!/^[[{]/.test(text)) throw new SyntaxError('no object and no array');
      this.#levels = [createLevel(text, this.#isList, 0)];
      return this.#walk(text.slice(1), this.#levels);
    });
  }

  /** Ends the text; yields the other books that are whole. @throws {FileError} It is cut off. */
  *end(): Generator<Row> {
    const levels = this.#levels ?? [];
    yield* this.#checked(() => this.#walk('', levels, 0));
    if (this.#levels === undefined || levels.length > 0)
      throw new FileError({ code: 'cutOff', at: 'json', number: this.#count });
  }

  *#checked(walk: () => Generator<Row>): Generator<Row> {
    try {
      yield* walk();
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      throw new FileError({ code: 'invalidJson', book: this.#count }, { cause });
    }
  }

  /** @param levels What is read, from the outermost; empty after its end. */
  *#walk(piece: string, levels: Level[], held = maxHeld): Generator<Row> {
    let text = piece;
    for (;;) {
      const level = levels.at(-1);
      if (level === undefined) {
        if (/[^ \t\r\n]/.test(text)) throw new SyntaxError('text after the end');
        return;
      }
      const { splitter } = level;
      for (const element of splitter.push(text)) {
        level.isHeld = false;
        yield* this.#take(element, level);
      }
      if (splitter.rest !== undefined) {
        levels.pop();
        text = splitter.rest;
        continue;
      }
      const { pendingLength } = splitter;
      if (pendingLength > maxRecordLength)
        throw new FileError({ code: 'rowTooLong', unit: 'book', number: this.#count + 1 });
      if (level.isHeld || pendingLength <= held) return;
      const { pending } = splitter;
      const inner = this.#levelOf(
        valueOf(completed(opening(level) + pending.slice(0, maxHeld))),
        pending,
        level,
        false,
      );
      level.isHeld = inner === undefined;
      if (inner === undefined) return;
      splitter.leave();
      levels.push(inner);
      text = pending.slice(startOf(pending) + 1);
    }
  }

  /** Reads an element that is whole. */
  *#take(text: string, level: Level): Generator<Row> {
    const value = valueOf(opening(level) + text + (level.isObject ? '}' : ']'));
    const inner = this.#levelOf(value, text, level, true);
    const { scoreOf, least, read } = this.#options;
    if (inner !== undefined) yield* this.#walk(text.slice(startOf(text) + 1), [inner]);
    else if (level.isList || (!level.isObject && scoreOf(value) >= least))
      yield read(value, text, ++this.#count);
  }

  /** The level of an element with lists of books, or that may have some in what follows. */
  #levelOf(value: unknown, text: string, level: Level, isWhole: boolean): Level | undefined {
    const { isList, depth } = level;
    if (typeof value !== 'object' || value === null || depth >= maxDepth) return undefined;
    const { scoreOf, least } = this.#options;
    const { score, direct } = judgeLists(value, scoreOf, isList || !level.isObject, depth + 1);
    const mayFollow = !isWhole && !isList && scoreOf(value) < least;
    if (score < least && !mayFollow) return undefined;
    return createLevel(text.slice(startOf(text)), direct >= least, depth + 1);
  }
}

const createLevel = (text: string, isList: boolean, depth: number): Level => {
  const isOfMembers = text.startsWith('{');
  return { splitter: new ArraySplitter(isOfMembers), isObject: isOfMembers, isList, depth, isHeld: false };
};

const opening = (level: Level) => (level.isObject ? '{' : '[');

/** The only value of an array, or of the only member of an object; `undefined` if there is none. */
const valueOf = (text: string): unknown => Object.values(JSON.parse(text) as object)[0];

/** Where the value of an element begins: after its name, in an object. */
const startOf = (text: string) => /^\s*(?:"[^"\\]*(?:\\[^][^"\\]*)*"\s*:\s*)?/.exec(text)?.[0].length ?? 0;

/** Of a start that is examined: a deeper value is no list of books. */
const maxNesting = 100;

/** Completes the start of a JSON text, without its last value if that is cut off. It ends with the first value. */
export function completed(start: string): string {
  let closing = '';
  /** The longest part that needs no more than closing brackets, and these. */
  let [end, missing] = [0, ''];
  for (const { 0: text, index } of start.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*(?:"|$)|[[\]{},]/g)) {
    if (text.startsWith('"')) continue;
    if (text === '{' || text === '[') closing = (text === '{' ? '}' : ']') + closing;
    else if (text !== ',') closing = closing.slice(1);
    if (closing.length > maxNesting) break;
    end = text === ',' ? index : index + 1;
    missing = closing;
    if (closing === '') break;
  }
  return start.slice(0, end) + missing;
}
