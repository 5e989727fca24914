import { ShelflistError } from '../../catalogue/errors.ts';
import type { BookParser, ParsedBook } from '../parsed-book.ts';
import { decodeRecord, startsAsRecord } from './decode-record.ts';
import { describeRecord } from './marc-record.ts';
import { readMarcRecord } from './read-record.ts';

/** The length in a leader has five digits. */
const maxBytes = 99_999;
const recordEnd = 0x1d;

/**
 * Parses MARC21 in ISO 2709 (`.mrc`). A record ends at its terminator; its length and its directory must then fit.
 *
 * Own code: `marcjs` mixes up records that chunks cut, and the other packages need a newer Node.
 */
export class Iso2709Parser implements BookParser<Uint8Array> {
  #held: Uint8Array[] = [];
  #length = 0;
  #record = 0;

  get cut(): string | undefined {
    return this.#length > 0 ? `record ${this.#record + 1} ends in the middle` : undefined;
  }

  *push(chunk: Uint8Array): Generator<ParsedBook> {
    let rest = chunk;
    for (let end = rest.indexOf(recordEnd); end >= 0; end = rest.indexOf(recordEnd)) {
      this.#hold(rest.subarray(0, end + 1));
      rest = rest.subarray(end + 1);
      yield this.#take();
    }
    this.#hold(rest);
  }

  end(): readonly ParsedBook[] {
    if (this.#length > 0) this.#check(Buffer.concat(this.#held));
    return [];
  }

  /** Skips line breaks between records. Holds no more of a record that is too long. */
  #hold(bytes: Uint8Array): void {
    const isBetween = (byte: number) => byte === 0x0a || byte === 0x0d || byte === 0x1a || byte === 0x00;
    const start = this.#length > 0 ? 0 : bytes.findIndex((byte) => !isBetween(byte));
    if (start < 0) return;
    const part = bytes.subarray(start);
    if (this.#length <= maxBytes) this.#held.push(part);
    this.#length += part.length;
    if (this.#length > maxBytes) this.#check(this.#held[0] ?? part);
  }

  #take(): ParsedBook {
    const bytes = this.#length > maxBytes ? undefined : Buffer.concat(this.#held);
    if (bytes) this.#check(bytes);
    this.#held = [];
    this.#length = 0;
    const record = ++this.#record;
    if (!bytes) return { reason: `it is longer than ${maxBytes} bytes`, record, original: null };
    try {
      const decoded = decodeRecord(bytes);
      return { ...readMarcRecord(decoded), record, original: describeRecord(decoded) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { reason: error.message, record, original: bytes.toString('latin1') };
    }
  }

  /** @throws {ShelflistError} `failed`: the file does not begin as MARC21 does. */
  #check(start: Uint8Array): void {
    if (this.#record > 0 || start.length < 5 || startsAsRecord(start)) return;
    throw new ShelflistError('failed', {
      message: 'the file is not MARC21: it does not begin with a leader',
    });
  }
}
