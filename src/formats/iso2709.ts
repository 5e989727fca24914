import { isAscii, isUtf8 } from 'node:buffer';
import { ShelflistError } from '../catalogue/errors.ts';
import type { BookParser, ParsedBook } from './record.ts';
import { type DataField, describeRecord, type MarcRecord, readMarcRecord } from './marc.ts';

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

const leaderLength = 24;
const entryLength = 12;
const fieldEnd = 0x1e;
const escape = 0x1b;

/** Whether bytes begin as a record does: with its length. */
function startsAsRecord(bytes: Uint8Array): boolean {
  return /^[0-9]{5}/.test(Buffer.from(bytes.subarray(0, 5)).toString('latin1'));
}

/**
 * Decodes a record of ISO 2709, with its terminator. Strict: a length that does not fit would mix up the fields.
 *
 * @throws {SyntaxError} It is damaged, or in MARC-8.
 */
function decodeRecord(bytes: Buffer): MarcRecord {
  const leader = bytes.toString('latin1', 0, leaderLength);
  if (bytes.length <= leaderLength || !startsAsRecord(bytes)) throw new SyntaxError('it has no leader');
  const length = Number(leader.slice(0, 5));
  if (length !== bytes.length)
    throw new SyntaxError(`its leader says that it has ${length} bytes, but it has ${bytes.length}`);
  checkEncoding(bytes, leader[9] === 'a');
  const base = Number(leader.slice(12, 17));
  const directory = bytes.subarray(leaderLength, base - 1);
  if (bytes[base - 1] !== fieldEnd || directory.length % entryLength !== 0)
    throw new SyntaxError('its directory is damaged');
  const control = new Map<string, string>();
  const data: DataField[] = [];
  for (let at = 0; at < directory.length; at += entryLength) {
    const [, tag = '', size, start] =
      /^([0-9A-Za-z]{3})([0-9]{4})([0-9]{5})$/.exec(directory.toString('latin1', at, at + entryLength)) ?? [];
    const first = base + Number(start);
    const field = bytes.subarray(first, first + Number(size));
    if (field.length === 0 || field.indexOf(fieldEnd) !== Number(size) - 1)
      throw new SyntaxError('its directory does not match its fields');
    const text = field.toString('utf8', 0, field.length - 1);
    if (tag.startsWith('00')) {
      if (!control.has(tag)) control.set(tag, text);
    } else data.push(readDataField(tag, text));
  }
  return { leader, control, data };
}

/** @throws {SyntaxError} The text is not UTF-8, nor ASCII that is flagged as MARC-8. */
function checkEncoding(bytes: Buffer, isFlaggedUtf8: boolean): void {
  const isText = isFlaggedUtf8 ? isUtf8(bytes) : (isAscii(bytes) || isUtf8(bytes)) && !bytes.includes(escape);
  if (isText) return;
  throw new SyntaxError(
    isFlaggedUtf8
      ? 'its text is not valid UTF-8'
      : 'it is in MARC-8; convert the file to UTF-8, for example with MarcEdit or yaz-marcdump -t utf-8',
  );
}

function readDataField(tag: string, text: string): DataField {
  const [indicators = '', ...parts] = text.split('\x1f');
  return { tag, indicators, subfields: parts.map((part) => [part.slice(0, 1), part.slice(1)] as const) };
}
