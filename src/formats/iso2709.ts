import { concat, textOfCodes } from '../lib/byte-arrays.ts';
import { type Cut, FileError, RowError } from './problems.ts';
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

  get cut(): Cut | undefined {
    return this.#length > 0 ? { at: 'marc', number: this.#record } : undefined;
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
    if (this.#length > 0) this.#check(concat(this.#held));
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
    const bytes = this.#length > maxBytes ? undefined : concat(this.#held);
    if (bytes) this.#check(bytes);
    this.#held = [];
    this.#length = 0;
    const record = ++this.#record;
    if (!bytes) return { problem: { code: 'recordTooLong', maxBytes }, record, original: null };
    try {
      const decoded = decodeRecord(bytes);
      return { ...readMarcRecord(decoded), record, original: describeRecord(decoded) };
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      return { problem: error.problem, record, original: textOfCodes(bytes) };
    }
  }

  /** @throws {FileError} The file does not begin as MARC21 does. */
  #check(start: Uint8Array): void {
    if (this.#record > 0 || start.length < 5 || startsAsRecord(start)) return;
    throw new FileError({ code: 'otherFormat', format: 'marc' });
  }
}

const leaderLength = 24;
const entryLength = 12;
const fieldEnd = 0x1e;
const escape = 0x1b;
/** A byte order mark within a record is text. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether bytes begin as a record does: with its length. */
function startsAsRecord(bytes: Uint8Array): boolean {
  return /^[0-9]{5}/.test(textOfCodes(bytes.subarray(0, 5)));
}

/**
 * Decodes a record of ISO 2709, with its terminator. Strict: a length that does not fit would mix up the fields.
 *
 * @throws {RowError} It is damaged, or in MARC-8.
 */
function decodeRecord(bytes: Uint8Array): MarcRecord {
  const leader = textOfCodes(bytes.subarray(0, leaderLength));
  if (bytes.length <= leaderLength || !startsAsRecord(bytes)) throw new RowError({ code: 'noLeader' });
  const length = Number(leader.slice(0, 5));
  if (length !== bytes.length)
    throw new RowError({ code: 'recordLength', stated: length, found: bytes.length });
  checkEncoding(bytes, leader[9] === 'a');
  const base = Number(leader.slice(12, 17));
  const directory = bytes.subarray(leaderLength, base - 1);
  if (bytes[base - 1] !== fieldEnd || directory.length % entryLength !== 0)
    throw new RowError({ code: 'directory' });
  const control = new Map<string, string>();
  const data: DataField[] = [];
  for (let at = 0; at < directory.length; at += entryLength) {
    const [, tag = '', size, start] =
      /^([0-9A-Za-z]{3})([0-9]{4})([0-9]{5})$/.exec(textOfCodes(directory.subarray(at, at + entryLength))) ??
      [];
    const first = base + Number(start);
    const field = bytes.subarray(first, first + Number(size));
    if (field.length === 0 || field.indexOf(fieldEnd) !== Number(size) - 1)
      throw new RowError({ code: 'directoryMismatch' });
    const text = utf8.decode(field.subarray(0, -1));
    if (tag.startsWith('00')) {
      if (!control.has(tag)) control.set(tag, text);
    } else data.push(readDataField(tag, text));
  }
  return { leader, control, data };
}

/** @throws {RowError} The text is not UTF-8, nor ASCII that is flagged as MARC-8. */
function checkEncoding(bytes: Uint8Array, isFlaggedUtf8: boolean): void {
  if (isUtf8(bytes) && (isFlaggedUtf8 || !bytes.includes(escape))) return;
  throw new RowError({ code: isFlaggedUtf8 ? 'notUtf8' : 'marc8' });
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function readDataField(tag: string, text: string): DataField {
  const [indicators = '', ...parts] = text.split('\x1f');
  return { tag, indicators, subfields: parts.map((part) => [part.slice(0, 1), part.slice(1)] as const) };
}
