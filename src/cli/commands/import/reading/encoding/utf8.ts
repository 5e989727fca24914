import { Buffer } from 'node:buffer';
import { markByte } from './bad-bytes.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A character of UTF-8, each byte as a character of Latin-1; or, in the group, a byte that is not part of one. */
const character =
  /[\0-\x7f]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|([^])/g;

/** Decodes UTF-8; `undefined` if it is not valid. */
export function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8, and marks the bytes that are not valid. */
export function decodeUtf8(bytes: Uint8Array): string {
  return (
    decodeStrictly(bytes) ??
    Buffer.from(bytes)
      .toString('latin1')
      .replace(character, (text, bad: string | undefined) =>
        bad === undefined ? Buffer.from(text, 'latin1').toString() : markByte(bad.charCodeAt(0)),
      )
  );
}

/** Whether bytes contain at least as many valid characters beyond ASCII as invalid bytes, and at least one. */
export function isMostlyUtf8(bytes: Uint8Array): boolean {
  let characters = 0;
  let others = 0;
  for (const each of new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)) {
    if (each === '\ufffd') others++;
    else if (each > '\u007f') characters++;
  }
  return characters > 0 && characters >= others;
}

/** The number of bytes at the end that start an incomplete character. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return count < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? count : 0;
  }
  return 0;
}
