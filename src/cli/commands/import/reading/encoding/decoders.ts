import { Buffer } from 'node:buffer';
import { ShelflistError } from '../../../../../catalogue/errors.ts';
import { cutOff } from '../row.ts';
import { markByte } from './bad-bytes.ts';
import { decodeStrictly, decodeUtf8, isMostlyUtf8, unfinishedBytes } from './utf8.ts';

/** Decodes the next bytes of a file. @param isLast Whether the file ends with them. */
export type Decode = (chunk: Uint8Array, isLast?: boolean) => string;

/** Decodes UTF-8 as long as it is mostly valid, else Windows-1252 if everything before was ASCII. */
export function createDetector(): Decode {
  let decode: Decode | undefined;
  let held: Uint8Array = Buffer.alloc(0); // The start of a character that the last chunk cut.
  return (chunk, isLast = false) => {
    if (decode) return decode(chunk, isLast);
    const whole = Buffer.concat([held, chunk]);
    const cut = unfinishedBytes(whole);
    held = whole.subarray(whole.length - cut);
    const text = decodeStrictly(whole.subarray(0, whole.length - cut));
    // Every other character is longer in UTF-8.
    const isAscii = text?.length === whole.length - cut;
    if (isAscii && !(isLast && cut > 0)) return text;
    const isUtf8 = isMostlyUtf8(whole) || (text !== undefined && !isAscii);
    decode = isUtf8 ? createUtf8() : createWindows1252();
    return decode(whole, isLast);
  };
}

/** Creates the decoder of an encoding, by its label in the Encoding Standard. @throws {ShelflistError} `usage`: unknown. */
export function createDecoder(label: string): Decode {
  const name = encodingOf(label);
  if (name === 'utf-8') return createUtf8();
  if (name === 'utf-16le' || name === 'utf-16be') return createUtf16(name === 'utf-16be');
  if (name === 'windows-1252') return decodeWindows1252;
  const decoder = new TextDecoder(name);
  return (chunk, isLast = false) =>
    decoder.decode(chunk, { stream: !isLast }).replaceAll('\ufffd', markByte());
}

/** The name of an encoding. @throws {ShelflistError} `usage`: it is unknown. */
function encodingOf(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    const message = `unknown encoding ${label}; known are ${commonEncodings}, and more`;
    throw new ShelflistError('usage', { message });
  }
}

/** For messages. */
const commonEncodings =
  'utf-8, utf-16le, windows-1250 to windows-1258, iso-8859-2, koi8-r, ibm866, macintosh, shift_jis, gb18030, big5 and euc-kr';

function createUtf8(): Decode {
  let held: Uint8Array = Buffer.alloc(0);
  return (chunk, isLast = false) => {
    const whole = Buffer.concat([held, chunk]);
    const cut = unfinishedBytes(whole);
    if (isLast && cut > 0) throw cutOff('its last character is incomplete');
    held = whole.subarray(whole.length - cut);
    return decodeUtf8(whole.subarray(0, whole.length - cut));
  };
}

/** Decodes UTF-16. Half a surrogate pair stays as it is, which marks it. */
export function createUtf16(isBigEndian: boolean): Decode {
  let held: Uint8Array = Buffer.alloc(0);
  return (chunk, isLast = false) => {
    const whole = Buffer.concat([held, chunk]);
    const even = whole.subarray(0, whole.length - (whole.length % 2));
    const units = (isBigEndian ? Buffer.from(even).swap16() : even).toString('utf16le');
    // The pair of a last high surrogate is in the next chunk.
    const text = /[\ud800-\udbff]$/.test(units) ? units.slice(0, -1) : units;
    held = whole.subarray(text.length * 2);
    if (isLast && held.length > 0) throw cutOff('its last character is incomplete');
    return text;
  };
}

/** Decodes Windows-1252 after ASCII. @throws {ShelflistError} `failed`: most of it is UTF-8. */
function createWindows1252(): Decode {
  return (chunk) => {
    if (isMostlyUtf8(chunk))
      throw new ShelflistError('failed', {
        message: 'the file mixes UTF-8 and Windows-1252; save it as "CSV UTF-8", or name its --encoding',
      });
    return decodeWindows1252(chunk);
  };
}

/** The characters from 0x80 to 0x9f (https://encoding.spec.whatwg.org/index-windows-1252.txt). */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes by hand, because the TextDecoder of Node 20 treats these bytes as Latin-1. */
function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80] ?? character);
}
