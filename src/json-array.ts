/** How deep an element may be nested; to hold what is deeper takes many times the length of its text. */
const deepest = 100;

/**
 * Cuts the text of a JSON array, as it comes, into the texts of its elements, each of which `JSON.parse` then reads:
 * exactly as it reads the whole. (A streaming parser from the registry was tried; it dropped U+FEFF from strings.)
 */
export class ArraySplitter {
  #text = '';
  /** Where in `#text` the element begins that is under way, and up to where it was looked at. */
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
    return this.#text.length - this.#start;
  }

  /** What stands behind the array; `undefined` until the array has ended. */
  get rest(): string | undefined {
    return this.#rest;
  }

  /**
   * Takes the next piece of what stands behind the opening bracket; gives the texts of the elements that end in it.
   *
   * @throws {SyntaxError} There are commas with nothing between, brackets that do not match, or too many.
   */
  *push(piece: string): Generator<string> {
    if (this.#rest !== undefined) {
      this.#rest += piece;
      return;
    }
    this.#text = this.#text.slice(this.#start) + piece;
    this.#at -= this.#start;
    this.#start = 0;
    for (let found = this.#next(); found >= 0; found = this.#next()) {
      const element = this.#see(found);
      if (element !== undefined) yield element;
    }
  }

  /** The place of the next character that matters, or -1 when there is none yet. */
  #next(): number {
    if (this.#rest !== undefined) return -1;
    const pattern = this.#inString ? /["\\]/g : /["[\]{},]/g;
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.index ?? -1;
    // Behind a backslash one more character is needed.
    if (found < 0 || (this.#text[found] === '\\' && found + 1 === this.#text.length)) {
      this.#at = found < 0 ? this.#text.length : found;
      return -1;
    }
    return found;
  }

  #see(place: number): string | undefined {
    this.#at = place + 1;
    const character = this.#text[place] ?? '';
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
        if (this.#depth > 0) return --this.#depth === 0 ? this.#give(place + 1) : undefined;
        if (character === '}') throw new SyntaxError('a bracket that was never opened');
        this.#rest = this.#text.slice(place + 1);
        return this.#separate(place, true);
    }
  }

  /** At a comma between elements, or at the end of the array: gives an element that no bracket has ended. */
  #separate(place: number, isEnd: boolean): string | undefined {
    const isBlank = isSpace(this.#text.slice(this.#start, place));
    const element = this.#isGiven || (isEnd && this.#count === 0 && isBlank) ? undefined : this.#give(place);
    if (element === undefined && !isBlank) throw new SyntaxError('a comma is missing');
    this.#isGiven = false;
    this.#start = place + 1;
    return element;
  }

  #give(end: number): string {
    const element = this.#text.slice(this.#start, end);
    if (isSpace(element)) throw new SyntaxError('an element is missing');
    this.#start = end;
    this.#isGiven = true;
    this.#count++;
    return element;
  }
}

/** JSON knows four kinds of space; `trim` knows many more. */
function isSpace(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}
