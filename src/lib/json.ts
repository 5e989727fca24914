/** The maximum nesting of an element. Deeper values take many times the memory of their text. */
const maxDepth = 100;
/** The maximum of held text after an array, in characters. */
const maxRest = 64 * 1024;

interface JsonArrayParserOptions<Element> {
  /** Reads an element from its text. `position` counts from 1. A `SyntaxError` means that the text is not JSON. */
  readonly read: (text: string, position: number) => Element;
  /** Creates the error for text that is not a JSON array. */
  readonly fail: (cause?: SyntaxError) => Error;
}

/**
 * Parses a JSON array element by element while its text arrives.
 *
 * @example
 * const parser = new JsonArrayParser({ read: (text) => JSON.parse(text), fail: () => new Error('not an array') });
 * for await (const piece of pieces) yield* parser.push(piece);
 * parser.end();
 */
export class JsonArrayParser<Element> {
  readonly #options: JsonArrayParserOptions<Element>;
  readonly #splitter: ArraySplitter;
  #isOpen = false;
  #count = 0;

  constructor(options: JsonArrayParserOptions<Element>) {
    this.#options = options;
    this.#splitter = new ArraySplitter();
  }

  /** The number of elements read so far. */
  get count(): number {
    return this.#count;
  }

  /** The length of the text held because its element is incomplete. */
  get pendingLength(): number {
    return this.#splitter.pendingLength;
  }

  /** The text after the array, or the start of it; `undefined` until the array has ended. */
  get rest(): string | undefined {
    return this.#splitter.rest;
  }

  /** Takes the next piece of text; yields the elements that end in it. Throws what `fail` creates. */
  *push(piece: string): Generator<Element> {
    let rest = piece;
    if (!this.#isOpen) {
      rest = piece.replace(/^[ \t\r\n]+/, '');
      if (rest === '') return;
      if (!rest.startsWith('[')) throw this.#options.fail();
      rest = rest.slice(1);
      this.#isOpen = true;
    }
    try {
      for (const text of this.#splitter.push(rest)) {
        const element = this.#options.read(text, this.#count + 1);
        this.#count++;
        yield element;
      }
    } catch (error) {
      throw error instanceof SyntaxError ? this.#options.fail(error) : error;
    }
  }

  /** Ends the text. Throws what `fail` creates unless it was one complete array. */
  end(): void {
    if (this.rest === undefined || !isSpace(this.rest)) throw this.#options.fail();
  }
}

/**
 * Splits the text of a JSON array, after its opening bracket, into the texts of its elements while it arrives. `JSON.parse`
 * then reads each exactly as it would within the array. It examines each character once, however short the pieces are. (A
 * streaming parser from the registry was tried; it dropped U+FEFF from strings.)
 */
export class ArraySplitter {
  /** The part of the current element from earlier pieces. */
  readonly #held = new TextPieces();
  #piece = '';
  /** Where in `#piece` the current element starts or continues, and how far it was examined. */
  #start = 0;
  #at = 0;
  #depth = 0;
  #inString = false;
  /** Whether the element was yielded already, so that only a comma or the end may follow. */
  #isYielded = false;
  #count = 0;
  #rest: string | undefined;
  readonly #closing: string;

  /** @param isObject Whether the text is an object: then an element is the text of a member, `"name": value`. */
  constructor(isObject = false) {
    this.#closing = isObject ? '}' : ']';
  }

  /** The length of the text held because its element is incomplete. */
  get pendingLength(): number {
    return this.#held.length + this.#piece.length - this.#start;
  }

  /** The text after the array, or the start of it; `undefined` until the array has ended. */
  get rest(): string | undefined {
    return this.#rest;
  }

  /** The text of the incomplete element. */
  get pending(): string {
    const text = this.#take(this.#piece.length);
    this.#held.append(text);
    return text;
  }

  /** Leaves the incomplete element to the caller, who reads it to its end. What follows it is the next piece. */
  leave(): void {
    this.#held.take('');
    this.#at = this.#start = this.#piece.length;
    this.#depth = 0;
    this.#inString = false;
    this.#isYielded = true;
    this.#count++;
  }

  /**
   * Takes the next piece of text; yields the texts of the elements that end in it.
   *
   * @throws {SyntaxError} An element or a comma is missing, or brackets do not match or are nested too deeply.
   */
  *push(piece: string): Generator<string> {
    if (this.#rest !== undefined) {
      const { length } = this.#rest;
      // What is blank is not held to the end: it may be longer than the longest string.
      if (length < maxRest || (isSpace(this.#rest) && !isSpace(piece))) this.#rest += piece;
      return;
    }
    // After a backslash at the end of the previous piece, one character is skipped.
    this.#at -= this.#piece.length;
    this.#held.append(this.#piece.slice(this.#start));
    this.#piece = piece;
    this.#start = 0;
    for (let found = this.#next(); found >= 0; found = this.#next()) {
      const element = this.#examine(found);
      if (element !== undefined) yield element;
    }
    if (this.#at < piece.length) this.#at = piece.length;
  }

  /** The index of the next structural character, or -1. */
  #next(): number {
    if (this.#rest !== undefined) return -1;
    const pattern = this.#inString ? /["\\]/g : /["[\]{},]/g;
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#piece)?.index ?? -1;
  }

  #examine(index: number): string | undefined {
    this.#at = index + 1;
    const character = this.#piece[index] ?? '';
    switch (character) {
      case '"':
        this.#inString = !this.#inString;
        return undefined;
      case '\\':
        this.#at++;
        return undefined;
      case '[':
      case '{':
        if (this.#isYielded) throw new SyntaxError('a comma is missing');
        if (++this.#depth > maxDepth) throw new SyntaxError('nested too deeply');
        return undefined;
      case ',':
        return this.#depth === 0 ? this.#separate(index, false) : undefined;
      default: // A closing bracket.
        if (this.#depth > 0) return --this.#depth === 0 ? this.#complete(this.#take(index + 1)) : undefined;
        if (character !== this.#closing) throw new SyntaxError('a bracket that was never opened');
        this.#rest = this.#piece.slice(index + 1);
        return this.#separate(index, true);
    }
  }

  /** At a comma or at the end of the array: returns the element before it, unless a bracket has completed it. */
  #separate(index: number, isEnd: boolean): string | undefined {
    const text = this.#take(index);
    const isAbsent = this.#isYielded || (isEnd && this.#count === 0 && isSpace(text));
    if (isAbsent && !isSpace(text)) throw new SyntaxError('a comma is missing');
    const element = isAbsent ? undefined : this.#complete(text);
    this.#isYielded = false;
    this.#start = index + 1;
    return element;
  }

  /** The text since the last element, up to an index. */
  #take(end: number): string {
    const text = this.#held.take(this.#piece.slice(this.#start, end));
    this.#start = end;
    return text;
  }

  #complete(element: string): string {
    if (isSpace(element)) throw new SyntaxError('an element is missing');
    this.#isYielded = true;
    this.#count++;
    return element;
  }
}

/** JSON has four space characters; `trim` removes many more. */
function isSpace(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

/** A line and its number, from 1. */
export interface Line {
  line: number;
  text: string;
}

/** Splits a text, such as NDJSON (https://github.com/ndjson/ndjson-spec), into lines while it arrives. */
export class LineSplitter {
  readonly #held = new TextPieces();
  readonly #endsAtReturn: boolean;
  /** Whether a line feed that comes next belongs to a carriage return. */
  #isAfterReturn = false;
  #line = 1;

  /** @param options `endsAtReturn`: whether a carriage return ends a line, too; else only a line feed does. */
  constructor({ endsAtReturn = false }: { readonly endsAtReturn?: boolean } = {}) {
    this.#endsAtReturn = endsAtReturn;
  }

  /** The number of the current line. */
  get line(): number {
    return this.#line;
  }

  /** The length of the text held because its line is incomplete. */
  get pendingLength(): number {
    return this.#held.length;
  }

  /** Takes the next piece of text; yields the lines that end in it. */
  *push(piece: string): Generator<Line> {
    const parts = (this.#endsAtReturn ? this.#withLineFeeds(piece) : piece).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) yield this.#take(part);
    this.#held.append(last);
  }

  /** The text after the last line end, or the empty string. */
  rest(): Line {
    return this.#take('');
  }

  #withLineFeeds(piece: string): string {
    const text = this.#isAfterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    if (piece !== '') this.#isAfterReturn = piece.endsWith('\r');
    return text.replace(/\r\n?/g, '\n');
  }

  #take(end: string): Line {
    return { line: this.#line++, text: this.#held.take(end) };
  }
}

const maxLoosePieces = 1000;

/** Collects a text from pieces, in about the memory of the text even if they are very short. */
class TextPieces {
  #joined: string[] = [];
  #loose: string[] = [];
  #length = 0;

  /** The length of the text so far. */
  get length(): number {
    return this.#length;
  }

  append(piece: string): void {
    if (piece === '') return;
    this.#length += piece.length;
    if (this.#loose.push(piece) < maxLoosePieces) return;
    this.#joined.push(this.#loose.join(''));
    this.#loose = [];
  }

  /** Returns the text with one last piece appended, and starts over. */
  take(last: string): string {
    if (this.#length === 0) return last;
    const text = this.#joined.join('') + this.#loose.join('') + last;
    this.#joined = [];
    this.#loose = [];
    this.#length = 0;
    return text;
  }
}
