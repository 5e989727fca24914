import { JsonArrayParser, type Line, LineSplitter } from '../../lib/json.ts';
import { Buffer } from 'node:buffer';
import type { Hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TextDecoder } from 'node:util';
import { ShelflistError } from '../../catalogue/errors.ts';
import { ByteBudget, isNdjson, streamBody } from './body.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { forEachYielding } from '../../lib/scheduler.ts';

/** The maximum memory of all bulk bodies; at least this many times the limit of one. */
const maxHeldBytes = 128 * 1024 * 1024;
const minHeldBodies = 3;

/** Estimates of memory: of an element besides its text, and of a byte of text. */
const elementBytes = 128;
const bytesPerByte = 2;

/** The maximum number of bodies parsed at once. The others wait, which keeps each round of long work short. */
const maxParsing = 4;

/** Reads the bulk bodies of a service, within a limit for each and for all together. */
export class BulkBodies {
  readonly #limitBytes: number;
  readonly #elementLimitBytes: number;
  readonly #budget: ByteBudget;
  readonly #parsing = new Semaphore(maxParsing);

  /**
   * @param limitBytes The maximum length of a body.
   * @param elementLimitBytes The maximum length of an element.
   * @param heldBytes The maximum memory of all bodies.
   */
  constructor(
    limitBytes: number,
    elementLimitBytes: number,
    heldBytes = Math.max(maxHeldBytes, minHeldBodies * limitBytes),
  ) {
    this.#limitBytes = limitBytes;
    this.#elementLimitBytes = elementLimitBytes;
    this.#budget = new ByteBudget(heldBytes);
  }

  /** The estimated memory that bulk bodies currently hold. */
  get heldBytes(): number {
    return this.#budget.heldBytes;
  }

  /**
   * Visits the elements of a body in order: NDJSON if its `Content-Type` says so, else a JSON array. Then runs `use`, while
   * the memory of the elements still counts as held.
   *
   * @param hash Receives the bytes of the body.
   * @throws {ShelflistError} `invalid_input`; `unavailable`, when bulk bodies hold too much memory; and as `streamBody` does.
   */
  async read<Result>(
    request: IncomingMessage,
    response: ServerResponse,
    visit: (element: Element) => void,
    use: () => Promise<Result>,
    hash?: Hash,
  ): Promise<Result> {
    const createReader = isNdjson(request) ? createLinesReader : createArrayReader;
    const reader = createReader(this.#elementLimitBytes);
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const share = this.#budget.open();
    let held = 0;
    const hold = (bytes: number) => {
      held += bytes;
      if (!share.growTo(held)) throw tooManyBodies();
    };
    const visitOne = (element: Element | undefined) => {
      if (element === undefined) return;
      hold(elementBytes);
      visit(element);
    };
    const visitAll = (elements: Iterable<Element | undefined>) =>
      this.#parsing.run(() => forEachYielding(elements, visitOne, undefined));
    try {
      await readPieces(streamBody(request, response, this.#limitBytes), async (piece) => {
        hash?.update(piece);
        hold(bytesPerByte * piece.length);
        await visitAll(reader.push(decode(decoder, piece)));
      });
      await visitAll(reader.push(decode(decoder)));
      await visitAll(reader.end());
      return await use();
    } finally {
      share.release();
    }
  }
}

/** Discards the rest of a body that `read` refuses: some clients read no response before they have sent everything. */
async function readPieces(
  pieces: AsyncIterable<Uint8Array>,
  read: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  let failure: { error: unknown } | undefined;
  for await (const piece of pieces) {
    if (failure !== undefined) continue;
    try {
      await read(piece);
    } catch (error) {
      failure = { error };
    }
  }
  if (failure !== undefined) throw failure.error;
}

/** @throws {ShelflistError} `invalid_input`: not UTF-8, or truncated. */
function decode(decoder: TextDecoder, piece?: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch {
    throw new ShelflistError('invalid_input', { message: 'the body is not UTF-8' });
  }
}

function tooManyBodies(): ShelflistError {
  return new ShelflistError('unavailable', { message: 'imports in progress take too much memory' });
}

/** An element of a bulk body: any JSON value, or the reason why it cannot be read. */
export type Element = {
  /** Its line, or its position in an array, from 1. */
  line: number;
} & ({ value: unknown } | { reason: string });

/**
 * Reads the elements of a body while its text arrives. Yields `undefined` for text without an element, so that the caller
 * can pause there.
 */
interface ElementReader {
  /** @throws {ShelflistError} `invalid_input`: the text is malformed. */
  push(text: string): Iterable<Element | undefined>;
  /** As `push`, at the end of the text. */
  end(): Iterable<Element | undefined>;
}

/** Reads a JSON array. @param limitBytes The maximum length of an element. */
function createArrayReader(limitBytes: number): ElementReader {
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
function createLinesReader(limitBytes: number): ElementReader {
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
