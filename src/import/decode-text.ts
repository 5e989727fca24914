// Bytes to text: finds the encoding of a file, and decodes it.
import { FileError } from '../formats/problems.ts';
import { concat, textOfCodes } from '../lib/byte-arrays.ts';
import { markByte } from './bad-bytes.ts';
import { createPlainDecoder, encodingOf, escapeSequence, usualEncodings } from './encodings.ts';
import type { Reading } from './judge-encoding.ts';
import { peek } from './peek.ts';

/** How the encoding of a file is found. */
export interface EncodingOptions {
  /** A label of the Encoding Standard, or of a code page. Default: found by itself. */
  readonly encoding?: string | undefined;
  /** Chooses one of several plausible encodings. Without it, several are an error. */
  readonly askEncoding?: AskEncoding | undefined;
  /** Called with the encoding, once the file has a character that is not ASCII. */
  readonly onEncoding?: (encoding: string) => void;
}

/** Chooses one of several plausible encodings, the most plausible one first. */
export type AskEncoding = (readings: readonly Reading[]) => string | undefined | Promise<string | undefined>;

/** Decodes the next bytes of a file. @param isLast Whether the file ends with them. */
type Decode = (chunk: Uint8Array, isLast?: boolean) => string;

/** The first bytes of an .xls, or of a workbook with a password. */
const spreadsheetStart = '\u00d0\u00cf\u0011\u00e0';
const minStart = spreadsheetStart.length;
/** In bytes: enough to tell UTF-16 without its mark. */
const maxStart = 1024;

/**
 * Decodes a file: in the named encoding; else in UTF-8 or UTF-16 if it starts with that byte order mark; else in the one in which
 * its letters are most plausible. The byte order mark is removed. Invalid bytes are marked (`bad-bytes.ts`).
 *
 * @throws {FileError} It is a spreadsheet, mixes encodings or is cut off; the encoding is unknown, or one of several.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  { encoding: label, askEncoding, onEncoding }: EncodingOptions = {},
): AsyncGenerator<string> {
  let encodings: typeof usualEncodings = usualEncodings;
  const { found, whole } = await peek(bytes, isStart, (taken) => {
    const start = concat(taken).subarray(0, maxStart);
    if (textOfCodes(start.subarray(0, minStart)) === spreadsheetStart)
      throw new FileError({ code: 'otherKind', kind: 'xls' });
    encodings = withDeclared(start);
    return label === undefined ? encodingByStart(start) : encodingOf(label);
  });
  let decode: Decode | undefined;
  const use = (encoding: string): Decode => {
    onEncoding?.(encoding);
    return createDecoder(encoding, found === undefined);
  };
  if (found !== undefined) decode = use(found);
  const undecided = new Prefix(encodings);
  let isFirst = found !== undefined; // Only a named encoding, or that of a mark, has one.
  const withoutMark = (text: string) => {
    if (!isFirst || text === '') return text;
    isFirst = false;
    return text.replace(/^\uFEFF/, '');
  };
  for await (const chunk of whole) {
    const ascii = decode === undefined && undecided.isEmpty ? asciiOf(chunk) : undefined;
    if (decode !== undefined) yield withoutMark(decode(chunk));
    else if (ascii !== undefined) {
      undecided.follow(chunk);
      yield ascii;
    } else if (undecided.push(chunk)) {
      decode = use(await undecided.judge(false, askEncoding));
      yield decode(undecided.take());
    }
  }
  if (decode === undefined && !undecided.isEmpty) {
    decode = use(await undecided.judge(true, askEncoding));
    yield decode(undecided.take());
  }
  if (decode !== undefined) yield withoutMark(decode(new Uint8Array(0), true));
}

/** Whether there is enough of a file to know whether it is UTF-16: a line without a zero byte is not. */
function isStart(taken: readonly Uint8Array[]): boolean {
  const start = concat(taken);
  return start.length >= maxStart || (start.length >= minStart && start.includes(0x0a) && !start.includes(0));
}

/** The encoding of a byte order mark, or UTF-16 without one. */
function encodingByStart(start: Uint8Array): string | undefined {
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return ['utf-16le', 'utf-16be'].find((name) =>
    isPlausible(new TextDecoder(name).decode(start, { stream: true })),
  );
}

/** How much more usual than any other an encoding is that the file declares, in bits. Some programs convert a file, and not that. */
const declaredRarity = -20;

/** The possible encodings of a text, with the one that its XML declaration names. */
function withDeclared(start: Uint8Array): typeof usualEncodings {
  const [, label] = /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(textOfCodes(start)) ?? [];
  if (label === undefined) return usualEncodings;
  try {
    const name = encodingOf(label);
    return /^utf-(?:8|16)/.test(name) ? usualEncodings : { ...usualEncodings, [name]: declaredRarity };
  } catch {
    return usualEncodings; // It has another name elsewhere.
  }
}

/** Whether a text of UTF-16 is one: with white space or a delimiter, and without what no text has. */
function isPlausible(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- A text has no control characters.
  return /[ ,;\t\n]/.test(text) && !/[\0-\x08\x0e-\x1f\x7f-\x9f\ufffd\ufffe\uffff]|\p{Cn}|\p{Co}/u.test(text);
}

/** A text that is ASCII alone, and designates no other character set: every other character is longer in UTF-8. */
function asciiOf(bytes: Uint8Array): string | undefined {
  const text = decodeStrictly(bytes);
  return text?.length === bytes.length && !hasEscape(text) ? text : undefined;
}

/** Whether a text has a sequence that designates a character set, or ends within it. */
function hasEscape(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- It looks for the escape character.
  return text.includes('\x1b') && (escapeSequence.test(text) || /\x1b[$(,)!-]*$/.test(text));
}

/** In bytes. More is not held, and hardly tells more. */
const maxPrefix = 1024 * 1024;
/** In bytes: longer than a word. */
const maxContext = 100;
/** So many characters of UTF-8, and no byte that is none, are no chance. */
const minUtf8 = 8;

/**
 * The encoding in which the letters of a text are most plausible.
 *
 * @throws {FileError} It is one of several, and nobody says which.
 */
export async function findPlausible(
  text: Uint8Array,
  isWhole: boolean,
  ask: AskEncoding | undefined,
  encodings: typeof usualEncodings,
): Promise<string> {
  const { judgeEncoding } = await import('./judge-encoding.ts');
  const readings = judgeEncoding(text, isWhole, encodings);
  const [best, ...others] = readings;
  if (best === undefined) return 'utf-8';
  if (others.length === 0) return best.encoding;
  const chosen = await ask?.(readings);
  if (chosen === undefined) throw new FileError({ code: 'severalEncodings', readings });
  return encodingOf(chosen);
}

/** The bytes of a file from its first one beyond ASCII, by which its encoding is judged. */
class Prefix {
  readonly #encodings: typeof usualEncodings;
  #parts: Uint8Array[] = [];
  #length = 0;
  /** The last bytes before them: the start of their word. */
  #context = new Uint8Array(0);
  /** The length at which it is examined next: at each doubling, so that many small parts take linear time. */
  #nextLength = 1;

  constructor(encodings: typeof usualEncodings) {
    this.#encodings = encodings;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Notes what comes before the bytes. */
  follow(ascii: Uint8Array): void {
    this.#context = concat([this.#context, ascii.subarray(-maxContext)]).slice(-maxContext);
  }

  /** Takes the next bytes; returns whether they suffice. */
  push(part: Uint8Array): boolean {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length >= maxPrefix) return true;
    if (this.#length < this.#nextLength) return false;
    this.#nextLength = 2 * this.#length;
    return this.#isUtf8(minUtf8);
  }

  /** Removes the bytes, and returns them. */
  take(): Uint8Array {
    const whole = concat(this.#parts);
    this.#parts = [];
    return whole;
  }

  /** The encoding of the bytes. @throws {FileError} It is one of several, and nobody says which. */
  async judge(isWhole: boolean, ask: AskEncoding | undefined): Promise<string> {
    if (this.#isUtf8(minUtf8)) return 'utf-8';
    if (this.#parts.some((part) => part.includes(0)) && this.#isUtf8(1)) return 'utf-8'; // Not text alone: its letters tell little.
    return findPlausible(concat([this.#context, ...this.#parts]), isWhole, ask, this.#encodings);
  }

  #isUtf8(min: number): boolean {
    const whole = concat(this.#parts);
    const text = decodeStrictly(whole.subarray(0, whole.length - unfinishedBytes(whole)));
    return text !== undefined && text.replace(/[\0-\x7f]+/g, '').length >= min;
  }
}

/** @param isJudged Whether the encoding is only the most plausible one. */
function createDecoder(name: string, isJudged: boolean): Decode {
  if (name === 'utf-8') return createUtf8();
  if (name === 'utf-16le' || name === 'utf-16be') return createUtf16(name === 'utf-16be');
  const decode = createPlainDecoder(name);
  let isFirst = true;
  return (chunk, isLast = false) => {
    if (isJudged && !isFirst && name === 'windows-1252' && isMostlyUtf8(chunk))
      throw new FileError({ code: 'mixedEncodings' });
    isFirst = false;
    return decode(chunk, isLast).replaceAll('\ufffd', markByte());
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
