// Bytes to text: finds the encoding of a file, and decodes it.
import { FileError } from '../formats/problems.ts';
import { concat, textOfCodes } from '../lib/byte-arrays.ts';
import { markByte } from './bad-bytes.ts';
import { peek } from './peek.ts';

/** Decodes the next bytes of a file. @param isLast Whether the file ends with them. */
type Decode = (chunk: Uint8Array, isLast?: boolean) => string;

/** The first bytes of an .xls, or of a workbook with a password. */
const spreadsheetStart = '\u00d0\u00cf\u0011\u00e0';
const startLength = spreadsheetStart.length;

/**
 * Decodes a file: in the named encoding; else UTF-8; UTF-16 if it starts with that byte order mark, as Excel's "Unicode text"
 * does; else Windows-1252, as older programs write CSV. The byte order mark is removed. Invalid bytes are marked
 * (`bad-bytes.ts`).
 *
 * @param encoding A label of the Encoding Standard (https://encoding.spec.whatwg.org/#names-and-labels).
 * @throws {FileError} It is a spreadsheet, mixes encodings or is cut off; the encoding is unknown.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  encoding?: string,
): AsyncGenerator<string> {
  const { found: decode, whole } = await peek(
    bytes,
    (some) => lengthOf(some) >= startLength,
    (taken) => chooseDecoder(textOfCodes(concat(taken).subarray(0, startLength)), encoding),
  );
  let isFirst = true;
  const withoutMark = (text: string) => {
    if (!isFirst || text === '') return text;
    isFirst = false;
    return text.replace(/^\uFEFF/, '');
  };
  for await (const chunk of whole) yield withoutMark(decode(chunk));
  yield withoutMark(decode(new Uint8Array(0), true));
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function chooseDecoder(start: string, encoding: string | undefined): Decode {
  if (start === spreadsheetStart) throw new FileError({ code: 'spreadsheet' });
  if (encoding !== undefined) return createDecoder(encoding);
  if (start.startsWith('\u00ef\u00bb\u00bf')) return createUtf8();
  if (start.startsWith('\u00ff\u00fe')) return createUtf16(false);
  return start.startsWith('\u00fe\u00ff') ? createUtf16(true) : createDetector();
}

function createDecoder(label: string): Decode {
  const name = encodingOf(label);
  if (name === 'utf-8') return createUtf8();
  if (name === 'utf-16le' || name === 'utf-16be') return createUtf16(name === 'utf-16be');
  if (name === 'windows-1252') return decodeWindows1252;
  const decoder = new TextDecoder(name);
  return (chunk, isLast = false) =>
    decoder.decode(chunk, { stream: !isLast }).replaceAll('\ufffd', markByte());
}

/** The name of an encoding. @throws {FileError} It is unknown. */
function encodingOf(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new FileError({ code: 'encoding', label });
  }
}

/** Decodes UTF-8 as long as it is mostly valid, else Windows-1252 if everything before was ASCII. */
function createDetector(): Decode {
  let decode: Decode | undefined;
  let held = new Uint8Array(0); // The start of a character that the last chunk cut.
  return (chunk, isLast = false) => {
    if (decode) return decode(chunk, isLast);
    const whole = concat([held, chunk]);
    const cut = unfinishedBytes(whole);
    held = whole.slice(whole.length - cut);
    const text = decodeStrictly(whole.subarray(0, whole.length - cut));
    // Every other character is longer in UTF-8.
    const isAscii = text?.length === whole.length - cut;
    if (isAscii && !(isLast && cut > 0)) return text;
    const isUtf8 = isMostlyUtf8(whole) || (text !== undefined && !isAscii);
    decode = isUtf8 ? createUtf8() : createWindows1252();
    return decode(whole, isLast);
  };
}

/** @throws {FileError} The last character is incomplete. */
function createUtf8(): Decode {
  let held = new Uint8Array(0);
  return (chunk, isLast = false) => {
    const whole = concat([held, chunk]);
    const cut = unfinishedBytes(whole);
    if (isLast && cut > 0) throw new FileError({ code: 'cutOff', at: 'character' });
    held = whole.slice(whole.length - cut);
    return decodeUtf8(whole.subarray(0, whole.length - cut));
  };
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A character of UTF-8, each byte as a character of Latin-1; or, in the group, a byte that is not part of one. */
const character =
  /[\0-\x7f]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|([^])/g;

function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8, and marks the bytes that are not valid. */
function decodeUtf8(bytes: Uint8Array): string {
  return (
    decodeStrictly(bytes) ??
    textOfCodes(bytes).replace(character, (text: string, bad: string | undefined, at: number) =>
      bad === undefined ? strict.decode(bytes.subarray(at, at + text.length)) : markByte(bad.charCodeAt(0)),
    )
  );
}

/** Whether bytes contain at least as many valid characters beyond ASCII as invalid bytes, and at least one. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  let characters = 0;
  let others = 0;
  for (const each of new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)) {
    if (each === '\ufffd') others++;
    else if (each > '\u007f') characters++;
  }
  return characters > 0 && characters >= others;
}

/** The number of bytes at the end that start an incomplete character. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return count < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? count : 0;
  }
  return 0;
}

/** Decodes UTF-16. Half a surrogate pair stays as it is, which marks it; a `TextDecoder` would replace it. */
function createUtf16(isBigEndian: boolean): Decode {
  let held = new Uint8Array(0);
  return (chunk, isLast = false) => {
    const whole = concat([held, chunk]);
    const view = new DataView(whole.buffer, whole.byteOffset);
    const units = Uint16Array.from({ length: whole.length >> 1 }, (_, i) =>
      view.getUint16(2 * i, !isBigEndian),
    );
    // The pair of a last high surrogate is in the next chunk.
    const isPairCut = ((units.at(-1) ?? 0) & 0xfc00) === 0xd800;
    const complete = isPairCut ? units.subarray(0, -1) : units;
    held = whole.slice(complete.length * 2);
    if (isLast && held.length > 0) throw new FileError({ code: 'cutOff', at: 'character' });
    return textOfCodes(complete);
  };
}

/** Decodes Windows-1252 after ASCII. @throws {FileError} Most of it is UTF-8. */
function createWindows1252(): Decode {
  return (chunk) => {
    if (isMostlyUtf8(chunk)) throw new FileError({ code: 'mixedEncodings' });
    return decodeWindows1252(chunk);
  };
}

/** The characters from 0x80 to 0x9f (https://encoding.spec.whatwg.org/index-windows-1252.txt). */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes by hand, because the TextDecoder of Node 20 treats these bytes as Latin-1. */
function decodeWindows1252(bytes: Uint8Array): string {
  return textOfCodes(bytes).replace(
    /[\u0080-\u009f]/g,
    (each) => windows1252[each.charCodeAt(0) - 0x80] ?? each,
  );
}
