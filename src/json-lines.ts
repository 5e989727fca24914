import { TextPieces } from './lib/text-pieces.ts';

/** A line, with its number, counted from 1. */
export interface Line {
  line: number;
  text: string;
}

/** Cuts NDJSON, as it comes, into its lines (https://github.com/ndjson/ndjson-spec): only a line feed ends one. */
export class LineSplitter {
  readonly #held = new TextPieces();
  #line = 1;

  /** The number of the line that is under way. */
  get line(): number {
    return this.#line;
  }

  /** How much text is held, because its line is not at its end. */
  get pendingLength(): number {
    return this.#held.length;
  }

  /** Takes the next piece of text; gives the lines that end in it. */
  *push(piece: string): Generator<Line> {
    const parts = piece.split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) yield this.#take(part);
    this.#held.append(last);
  }

  /** The text after the last line feed: empty if the text ends with one. */
  rest(): Line {
    return this.#take('');
  }

  #take(end: string): Line {
    return { line: this.#line++, text: this.#held.take(end) };
  }
}
