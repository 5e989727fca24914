import { ShelflistError } from '../../errors.ts';
import { cutOff } from './row.ts';

/** How every ZIP archive begins, and so every .xlsx and .ods. */
const zipStart = 'PK\u0003\u0004';

/**
 * Decodes a file: UTF-8; UTF-16 if it begins with that mark, as Excel's "Unicode text" does; else Windows-1252, as
 * older programs write CSV. A byte order mark in front is taken away.
 *
 * @throws {ShelflistError} `failed` when it is a spreadsheet itself, or a mixture.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decode: Decode | undefined;
  let start = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (decode) yield decode(chunk);
    else {
      start = Buffer.concat([start, chunk]);
      if (start.length < zipStart.length) continue;
      decode = chooseDecoder(start);
      yield decode(start);
    }
  }
  decode ??= chooseDecoder(start);
  yield decode(start.length < zipStart.length ? start : undefined, true);
}

type Decode = (chunk: Uint8Array | undefined, isLast?: boolean) => string;

function chooseDecoder(start: Buffer): Decode {
  if (start.toString('latin1', 0, zipStart.length) === zipStart) {
    throw new ShelflistError('failed', {
      message: 'this is a spreadsheet, not CSV; open it and save it as "CSV UTF-8"',
    });
  }
  const mark = start.toString('hex', 0, 2);
  if (mark !== 'fffe' && mark !== 'feff') return createDecoder();
  const decoder = new TextDecoder(mark === 'fffe' ? 'utf-16le' : 'utf-16be', { fatal: true });
  return (chunk, isLast = false) => {
    try {
      return decoder.decode(chunk, { stream: !isLast });
    } catch {
      if (isLast) throw cutOff('its last character is not whole');
      throw new ShelflistError('failed', { message: 'the file is damaged: it is no whole UTF-16' });
    }
  };
}

/** UTF-8 for as long as that is possible; what is no UTF-8 is Windows-1252, if all before it was ASCII. */
function createDecoder(): Decode {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  let isAscii = true;
  let held: Uint8Array = Buffer.alloc(0); // The start of a character, if the last chunk ended within one.
  return (chunk = Buffer.alloc(0), isLast = false) => {
    if (!isUtf8) return decodeWindows1252(chunk);
    try {
      const text = utf8.decode(chunk, { stream: !isLast });
      const whole = Buffer.concat([held, chunk]);
      held = whole.subarray(whole.length - unfinished(whole));
      isAscii &&= whole.length - held.length === text.length; // Every other character is longer in UTF-8.
      return text;
    } catch {
      if (!isAscii && isLast && chunk.length === 0) throw cutOff('its last character is not whole');
      if (!isAscii) throw mixture();
      isUtf8 = false;
      return decodeWindows1252(Buffer.concat([held, chunk]));
    }
  };
}

function mixture(): ShelflistError {
  return new ShelflistError('failed', {
    message: 'the file is neither UTF-8 nor Windows-1252, but a mixture; save it as "CSV UTF-8"',
  });
}

/** Whether bytes hold characters of UTF-8, and no fewer than bytes that belong to none. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  let characters = 0;
  let others = 0;
  for (const character of new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)) {
    if (character === '\ufffd') others++;
    else if (character > '\u007f') characters++;
  }
  return characters > 0 && characters >= others;
}

/** How many bytes at the end begin a character that is not whole. */
function unfinished(bytes: Uint8Array): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return count < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? count : 0;
  }
  return 0;
}

/** What bytes from 0x80 mean there (https://encoding.spec.whatwg.org/index-windows-1252.txt). */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * @throws {ShelflistError} `failed` for what is UTF-8 after all.
 *
 * By hand: the TextDecoder of Node 20 takes these bytes for Latin-1.
 */
function decodeWindows1252(bytes: Uint8Array): string {
  if (isMostlyUtf8(bytes)) throw mixture();
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80] ?? character);
}

/** What was taken from a text, and then the rest of it. */
export async function* resume(
  taken: readonly string[],
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  try {
    yield* taken;
    yield* rest;
  } finally {
    await rest.return(undefined); // Who stops early ends the source too.
  }
}
