import { TextPieces } from './lib/text-pieces.ts';

/** How deep an element may be nested; to hold what is deeper takes many times the length of its text. */
const deepest = 100;

/**
 * Cuts the text of a JSON array, as it comes, into the texts of its elements, each of which `JSON.parse` then reads:
 * exactly as it reads the whole. (A streaming parser from the registry was tried; it dropped U+FEFF from strings.) Each
 * character is examined once, however short the pieces are.
 */
export class ArraySplitter {
  /** The part of the current element from earlier pieces. */
  readonly #held = new TextPieces();
  #piece = '';
  /** Where in `#piece` the element begins or continues, and how far it was examined. */
  #start = 0;
  #at = 0;
  #depth = 0;
  #inString = false;
  /** Whether the element is given already, and only a comma or the end may follow. */
  #isGiven = false;
  #count = 0;
  #rest: string | undefined;

  /** How much text is held, because its element is not at its end. */
  get pendingLength(): number {
    return this.#held.length + this.#piece.length - this.#start;
  }

  /** The text after the array; `undefined` until the array has ended. */
  get rest(): string | undefined {
    return this.#rest;
  }

  /**
   * Takes the next piece of the text after the opening bracket; yields the texts of the elements that end in it.
   *
   * @throws {SyntaxError} There are commas with nothing between, brackets that do not match, or too many.
   */
  *push(piece: string): Generator<string> {
    if (this.#rest !== undefined) {
      this.#rest += piece;
      return;
    }
    // After a backslash at the end of the previous piece, one character is skipped.
    this.#at -= this.#piece.length;
    this.#held.append(this.#piece.slice(this.#start));
    this.#piece = piece;
    this.#start = 0;
    for (let found = this.#next(); found >= 0; found = this.#next()) {
      const element = this.#see(found);
      if (element !== undefined) yield element;
    }
    if (this.#at < piece.length) this.#at = piece.length;
  }

  /** The place of the next character that matters, or -1 when there is none yet. */
  #next(): number {
    if (this.#rest !== undefined) return -1;
    const pattern = this.#inString ? /["\\]/g : /["[\]{},]/g;
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#piece)?.index ?? -1;
  }

  #see(place: number): string | undefined {
    this.#at = place + 1;
    const character = this.#piece[place] ?? '';
    switch (character) {
      case '"':
        this.#inString = !this.#inString;
        return undefined;
      case '\\':
        this.#at++;
        return undefined;
      case '[':
      case '{':
        if (this.#isGiven) throw new SyntaxError('a comma is missing');
        if (++this.#depth > deepest) throw new SyntaxError('nested too deep');
        return undefined;
      case ',':
        return this.#depth === 0 ? this.#separate(place, false) : undefined;
      default: // A bracket that closes.
        if (this.#depth > 0) return --this.#depth === 0 ? this.#give(this.#take(place + 1)) : undefined;
        if (character === '}') throw new SyntaxError('a bracket that was never opened');
        this.#rest = this.#piece.slice(place + 1);
        return this.#separate(place, true);
    }
  }

  /** At a comma between elements, or at the end of the array: gives an element that no bracket has ended. */
  #separate(place: number, isEnd: boolean): string | undefined {
    const text = this.#take(place);
    const isNone = this.#isGiven || (isEnd && this.#count === 0 && isSpace(text));
    if (isNone && !isSpace(text)) throw new SyntaxError('a comma is missing');
    const element = isNone ? undefined : this.#give(text);
    this.#isGiven = false;
    this.#start = place + 1;
    return element;
  }

  /** The text since the last element, up to this index. */
  #take(end: number): string {
    const text = this.#held.take(this.#piece.slice(this.#start, end));
    this.#start = end;
    return text;
  }

  #give(element: string): string {
    if (isSpace(element)) throw new SyntaxError('an element is missing');
    this.#isGiven = true;
    this.#count++;
    return element;
  }
}

/** JSON knows four kinds of space; `trim` knows many more. */
function isSpace(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}
