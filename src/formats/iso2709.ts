import { concat, textOfCodes } from '../lib/byte-arrays.ts';
import { textFields } from '../catalogue/fields.ts';
import { createMarc8Decoder } from './marc8.ts';
import {
  type DataField,
  describeRecord,
  type MarcRecord,
  readDataField,
  readMarcRecord,
  subfield,
} from './marc.ts';
import { type Cut, FileError, RowError } from './problems.ts';
import type { BookParser, ParsedBook, ReadRecord } from './record.ts';

/** The length in a leader has five digits. */
const maxBytes = 99_999;
const recordEnd = 0x1d;

/** Decodes the whole of a field. What it cannot read becomes U+FFFD. */
export type DecodeField = (field: Uint8Array) => string;

/**
 * Parses MARC21 in ISO 2709 (`.mrc`). A record ends at its terminator, whatever its length says. A record that is UTF-8 is read as
 * that, whatever its leader says: many programs convert a record, and not its leader.
 *
 * Own code: `marcjs` mixes up records that chunks cut, and the other packages need a newer Node.
 */
export class Iso2709Parser implements BookParser<Uint8Array> {
  #held: Uint8Array[] = [];
  #length = 0;
  #record = 0;
  readonly #decode: DecodeField | undefined;

  /** @param decode For the records that are not UTF-8. Default: MARC-8, unless the leader says UTF-8. */
  constructor(decode?: DecodeField) {
    this.#decode = decode;
  }

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
      const decoded = decodeRecord(bytes, this.#decode);
      const read = isUtf8Record(bytes) ? readMarcRecord(decoded) : readConverted(decoded, bytes);
      return { ...read, record, original: describeRecord(decoded) };
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
const marc8 = createMarc8Decoder();

/** Whether bytes begin as a record does: with its length. */
function startsAsRecord(bytes: Uint8Array): boolean {
  return /^[0-9]{5}/.test(textOfCodes(bytes.subarray(0, 5)));
}

/**
 * Decodes a record of ISO 2709, with its terminator. The terminators of record, directory and fields are trusted, the lengths and
 * addresses are not: programs that counted characters write them too small.
 *
 * @throws {RowError} It is damaged, or says that it is UTF-8 and is not.
 */
function decodeRecord(bytes: Uint8Array, decode: DecodeField | undefined): MarcRecord {
  const leader = textOfCodes(bytes.subarray(0, leaderLength));
  if (bytes.length <= leaderLength || !startsAsRecord(bytes)) throw new RowError({ code: 'noLeader' });
  const toText = isUtf8Record(bytes)
    ? (field: Uint8Array) => utf8.decode(field)
    : (decode ?? decoderOf(leader));
  const control = new Map<string, string>();
  const data: DataField[] = [];
  for (const [tag, field] of fieldsOf(bytes)) {
    const text = toText(field);
    if (tag.startsWith('00')) {
      if (!control.has(tag)) control.set(tag, text);
    } else data.push(readDataField(tag, text));
  }
  return { leader, control, data };
}

interface DirectoryEntry {
  readonly tag: string;
  readonly length: number;
  readonly start: number;
}

/** The fields of a record, without their terminators, by the directory. @throws {RowError} It does not fit the fields. */
function fieldsOf(bytes: Uint8Array): readonly (readonly [tag: string, field: Uint8Array])[] {
  const directoryEnd = bytes.indexOf(fieldEnd, leaderLength);
  if ((directoryEnd - leaderLength) % entryLength !== 0) throw new RowError({ code: 'directory' });
  const entries: DirectoryEntry[] = [];
  for (let at = leaderLength; at < directoryEnd; at += entryLength) {
    const [, tag = '', length, start] =
      /^([0-9A-Za-z]{3})([0-9]{4})([0-9]{5})$/.exec(textOfCodes(bytes.subarray(at, at + entryLength))) ?? [];
    entries.push({ tag, length: Number(length), start: Number(start) });
  }
  const content = bytes.subarray(directoryEnd + 1);
  const fields = splitFields(content);
  const stated = Number(textOfCodes(bytes.subarray(0, 5)));
  // Another record may follow one that has lost its terminator.
  if (stated !== bytes.length && fields.length !== entries.length)
    throw new RowError({ code: 'recordLength', stated, found: bytes.length });
  const byAddress = entries.map(
    ({ tag, start, length }) => [tag, content.subarray(start, start + length)] as const,
  );
  if (byAddress.every(([, field]) => field.length > 0 && field.indexOf(fieldEnd) === field.length - 1))
    return byAddress.map(([tag, field]) => [tag, field.subarray(0, -1)]);
  // The addresses are wrong, and their order is right.
  if (fields.length !== entries.length || entries.some(({ start }) => !Number.isSafeInteger(start)))
    throw new RowError({ code: 'directoryMismatch' });
  const places = new Map(entries.toSorted((a, b) => a.start - b.start).map((entry, at) => [entry, at]));
  return entries.map((entry) => [entry.tag, fields[places.get(entry) ?? 0] ?? new Uint8Array(0)]);
}

/** The fields of a record, as their terminators separate them. */
function splitFields(content: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = [];
  for (let at = 0, end = content.indexOf(fieldEnd); end >= 0; end = content.indexOf(fieldEnd, at)) {
    fields.push(content.subarray(at, end));
    at = end + 1;
  }
  return fields;
}

/** What a leader says of a record that is not UTF-8. @throws {RowError} It says UTF-8. */
function decoderOf(leader: string): DecodeField {
  if (leader[9] === 'a') throw new RowError({ code: 'notUtf8' });
  return (field) => marc8(field, true);
}

/** A field 880 with the title or a name in the script of the book. */
const isOriginal = (field: DataField) =>
  field.tag === '880' && /^(?:245|[17][01][01])/.test(subfield(field, '6'));
// eslint-disable-next-line no-control-regex -- An escape sequence that is unknown stays.
const isLegible = (text: string) => !/[\x1b\ufffd]/.test(text);

/** Reads a record that was not UTF-8: by its transcription where the script of the book is not read. */
function readConverted(record: MarcRecord, bytes: Uint8Array): ReadRecord {
  const data = record.data.filter(
    (field) => !isOriginal(field) || field.subfields.every(([, value]) => isLegible(value)),
  );
  const read = readMarcRecord({ ...record, data });
  if ('problem' in read) return read;
  const illegible = textFields.find((name) => !isLegible(read.fields[name]));
  if (illegible !== undefined)
    return { problem: { code: hasEastAsian(bytes) ? 'eastAsian' : 'badByte', field: illegible } };
  if (data.length === record.data.length) return read;
  return { ...read, notes: [...(read.notes ?? []), { code: 'transcription' }] };
}

/** Whether a record of MARC-8 designates a set of several bytes a character. */
const hasEastAsian = (bytes: Uint8Array) => textOfCodes(bytes).includes('\x1b$');

/** Whether a record is UTF-8. Escape sequences are of MARC-8. */
export function isUtf8Record(bytes: Uint8Array): boolean {
  return !bytes.includes(escape) && isUtf8(bytes);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
