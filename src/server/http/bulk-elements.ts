import { Buffer } from 'node:buffer';
import { ShelflistError } from '../../catalogue/errors.ts';
import { JsonArrayParser, type Line, LineSplitter } from '../../lib/json.ts';

/** An element of a bulk body: any JSON value, or the reason why it cannot be read. */
export type Element = {
  /** Its line, or its position in an array, from 1. */
  line: number;
} & ({ value: unknown } | { reason: string });

/**
 * Reads the elements of a body while its text arrives. Yields `undefined` for text without an element, so that the caller
 * can pause there.
 */
export interface ElementReader {
  /** @throws {ShelflistError} `invalid_input`: the text is malformed. */
  push(text: string): Iterable<Element | undefined>;
  /** As `push`, at the end of the text. */
  end(): Iterable<Element | undefined>;
}

/** Reads a JSON array. @param limitBytes The maximum length of an element. */
export function createArrayReader(limitBytes: number): ElementReader {
  const parser = new JsonArrayParser<Element>({
    read: (text, line) => tooLong(text, line, limitBytes) ?? { line, value: JSON.parse(text) as unknown },
    fail: () => new ShelflistError('invalid_input', { message: 'the body is not a JSON array' }),
  });
  return {
    push: (text) => parser.push(text),
    end() {
      parser.end();
      return [];
    },
  };
}

/** Reads NDJSON. Empty lines are counted and skipped. @param limitBytes The maximum length of a line. */
export function createLinesReader(limitBytes: number): ElementReader {
  const splitter = new LineSplitter();
  const read = ({ line, text }: Line): Element | undefined => {
    if (text.trim() === '') return undefined;
    try {
      return tooLong(text, line, limitBytes) ?? { line, value: JSON.parse(text) as unknown };
    } catch {
      return { line, reason: 'not JSON' };
    }
  };
  return {
    *push(text) {
      for (const line of splitter.push(text)) yield read(line);
    },
    end: () => [read(splitter.rest())],
  };
}

/** Long elements are not parsed, because that takes many times their length in memory. */
function tooLong(text: string, line: number, limitBytes: number): Element | undefined {
  const isLonger = text.length > limitBytes || Buffer.byteLength(text) > limitBytes;
  return isLonger ? { line, reason: `longer than ${limitBytes} bytes` } : undefined;
}
