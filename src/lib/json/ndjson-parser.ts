import { TextPieces } from './text-pieces.ts';

/** A line and its number, from 1. */
export interface Line {
  line: number;
  text: string;
}

/** Splits NDJSON (https://github.com/ndjson/ndjson-spec) into lines while it arrives. Only a line feed ends a line. */
export class LineSplitter {
  readonly #held = new TextPieces();
  #line = 1;

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
    const parts = piece.split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) yield this.#take(part);
    this.#held.append(last);
  }

  /** The text after the last line feed, or the empty string. */
  rest(): Line {
    return this.#take('');
  }

  #take(end: string): Line {
    return { line: this.#line++, text: this.#held.take(end) };
  }
}
