import type { IncomingMessage, ServerResponse } from 'node:http';
import { TextDecoder } from 'node:util';
import { ShelflistError } from '../errors.ts';
import { ByteBudget } from '../lib/byte-budget.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { isNdjson, streamBody } from './body.ts';
import { ArrayReader, LinesReader, type Element } from './elements.ts';
import { visitInSlices } from './long-work.ts';

/** The most that all bulk bodies hold together, and in any case this many times the limit of one. */
const maxHeldBytes = 128 * 1024 * 1024;
const maxHeldBodies = 3;

/** An estimate of what an element takes besides its text, and of what a text takes for each of its bytes. */
const elementBytes = 128;
const bytesPerByte = 2;

/** The bodies that are parsed at once: others wait, so that no round of long work takes long. */
const maxParsing = 4;

/** Reads the bulk bodies of a service, within the limit of each and of all together. */
export class BulkBodies {
  readonly #limitBytes: number;
  readonly #elementLimitBytes: number;
  readonly #budget: ByteBudget;
  readonly #parsing = new Semaphore(maxParsing);

  /**
   * @param limitBytes The longest that a body may be.
   * @param elementLimitBytes The longest that one of its elements may be.
   * @param heldBytes The most that all bodies hold together.
   */
  constructor(
    limitBytes: number,
    elementLimitBytes: number,
    heldBytes = Math.max(maxHeldBytes, maxHeldBodies * limitBytes),
  ) {
    this.#limitBytes = limitBytes;
    this.#elementLimitBytes = elementLimitBytes;
    this.#budget = new ByteBudget(heldBytes);
  }

  /** The memory that bulk bodies hold now, as it is estimated. */
  get heldBytes(): number {
    return this.#budget.heldBytes;
  }

  /**
   * Visits the elements of a body in their order: NDJSON if its `Content-Type` says so, else a JSON array. Then runs `use`,
   * while what `visit` has kept of them still counts as held.
   *
   * @throws {ShelflistError} `invalid_input`; `unavailable`, when bulk bodies hold too much memory; and as `streamBody` does.
   */
  async read<Result>(
    request: IncomingMessage,
    response: ServerResponse,
    visit: (element: Element) => void,
    use: () => Promise<Result>,
  ): Promise<Result> {
    const reader = new (isNdjson(request) ? LinesReader : ArrayReader)(this.#elementLimitBytes);
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const share = this.#budget.open();
    let held = 0;
    const hold = (bytes: number) => {
      held += bytes;
      if (!share.growTo(held)) throw tooManyBodies();
    };
    const visitAll = (elements: Iterable<Element | undefined>) =>
      this.#parsing.run(() =>
        visitInSlices(elements, (element) => {
          if (element === undefined) return;
          hold(elementBytes);
          visit(element);
        }),
      );
    try {
      let failure: { error: unknown } | undefined;
      for await (const piece of streamBody(request, response, this.#limitBytes)) {
        // A sender that has not come to its end may not see an answer: the rest of a refused body passes unread.
        if (failure !== undefined) continue;
        try {
          hold(bytesPerByte * piece.length);
          await visitAll(reader.push(decode(decoder, piece)));
        } catch (error) {
          failure = { error };
        }
      }
      if (failure !== undefined) throw failure.error;
      await visitAll(reader.push(decode(decoder)));
      await visitAll(reader.end());
      return await use();
    } finally {
      share.release();
    }
  }
}

/** @throws {ShelflistError} `invalid_input`: not UTF-8, or cut off. */
function decode(decoder: TextDecoder, piece?: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch {
    throw new ShelflistError('invalid_input', { message: 'the body is not UTF-8' });
  }
}

function tooManyBodies(): ShelflistError {
  return new ShelflistError('unavailable', { message: 'imports that are under way take too much memory' });
}
