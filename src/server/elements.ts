import { Buffer } from 'node:buffer';
import { ShelflistError } from '../errors.ts';
import { ArraySplitter } from '../json-array.ts';
import { LineSplitter, type Line } from '../json-lines.ts';

/** One element of a bulk body: any JSON value, or the reason why it cannot be read. */
export type Element = {
  /** Its line, counted from 1; in an array, its position. */
  line: number;
} & ({ value: unknown } | { reason: string });

/**
 * Reads the elements of a body as its text arrives. It yields `undefined` for text without an element, so that the caller
 * can pause there.
 */
export interface ElementReader {
  /** @throws {ShelflistError} `invalid_input`: the text is malformed. */
  push(text: string): Generator<Element | undefined>;
  /** As `push`, for the end of the text. */
  end(): Generator<Element | undefined>;
}

/** Reads a JSON array element by element. */
export class ArrayReader implements ElementReader {
  readonly #limitBytes: number;
  readonly #splitter = new ArraySplitter();
  #line = 0;
  #isOpen = false;

  /** @param limitBytes The maximum length of an element. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  *push(chunk: string): Generator<Element | undefined> {
    let text = chunk;
    if (!this.#isOpen) {
      text = chunk.replace(/^[ \t\r\n]+/, '');
      if (text === '') return;
      if (!text.startsWith('[')) throw notAnArray();
      text = text.slice(1);
      this.#isOpen = true;
    }
    try {
      for (const element of this.#splitter.push(text)) {
        const line = ++this.#line;
        yield tooLong(element, line, this.#limitBytes) ?? { line, value: JSON.parse(element) as unknown };
      }
    } catch (error) {
      throw error instanceof SyntaxError ? notAnArray() : error;
    }
  }

  // eslint-disable-next-line require-yield -- The last element ended with the array.
  *end(): Generator<undefined> {
    const { rest } = this.#splitter;
    if (rest === undefined || !/^[ \t\r\n]*$/.test(rest)) throw notAnArray();
  }
}

/** Reads NDJSON line by line; empty lines are counted and skipped. */
export class LinesReader implements ElementReader {
  readonly #limitBytes: number;
  readonly #splitter = new LineSplitter();

  /** @param limitBytes The maximum length of a line. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  *push(text: string): Generator<Element | undefined> {
    for (const line of this.#splitter.push(text)) yield this.#read(line);
  }

  *end(): Generator<Element | undefined> {
    yield this.#read(this.#splitter.rest());
  }

  #read({ line, text }: Line): Element | undefined {
    if (text.trim() === '') return undefined;
    try {
      return tooLong(text, line, this.#limitBytes) ?? { line, value: JSON.parse(text) as unknown };
    } catch {
      return { line, reason: 'not JSON' };
    }
  }
}

/** A long element is not even parsed: that takes many times its length in memory. */
function tooLong(text: string, line: number, limitBytes: number): Element | undefined {
  const isLonger = text.length > limitBytes || Buffer.byteLength(text) > limitBytes;
  return isLonger ? { line, reason: `longer than ${limitBytes} bytes` } : undefined;
}

function notAnArray(): ShelflistError {
  return new ShelflistError('invalid_input', { message: 'the body is not a JSON array' });
}
