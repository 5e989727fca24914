/** A line, with its number, counted from 1. */
export interface Line {
  line: number;
  text: string;
}

/** Cuts NDJSON, as it comes, into its lines (https://github.com/ndjson/ndjson-spec): only a line feed ends one. */
export class LineSplitter {
  #line = 1;
  #held: string[] = [];
  #pendingLength = 0;

  /** The number of the line that is under way. */
  get line(): number {
    return this.#line;
  }

  /** How much text is held, because its line is not at its end. */
  get pendingLength(): number {
    return this.#pendingLength;
  }

  /** Takes the next piece of text; gives the lines that end in it. */
  *push(piece: string): Generator<Line> {
    const parts = piece.split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) yield this.#take(part);
    this.#held.push(last);
    this.#pendingLength += last.length;
  }

  /** What stands behind the last line feed: empty where the text ends with one. */
  rest(): Line {
    return this.#take('');
  }

  #take(end: string): Line {
    const text = this.#held.join('') + end;
    this.#held = [];
    this.#pendingLength = 0;
    return { line: this.#line++, text };
  }
}
