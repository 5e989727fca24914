import { ReadError } from './table.ts';

/** Small enough that the page stays quick while it parses one, in bytes. */
const pieceBytes = 256 * 1024;

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The bytes are not valid in the encoding; what was decoded so far was ASCII only, so that another one may fit. */
export class OtherEncoding extends Error {}

/** A piece of the text of a file, and how many bytes precede its end. */
export interface Piece {
  readonly text: string;
  readonly bytes: number;
}

/**
 * Decodes a file piece by piece. The browser is free between two pieces.
 *
 * @throws {OtherEncoding} It is not UTF-8, but may be Windows-1252.
 * @throws {ReadError} It is damaged, or mixes encodings.
 */
export async function* decode(file: Blob, encoding: Encoding, signal: AbortSignal): AsyncGenerator<Piece> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let isAscii = true;
  for (let at = 0; at < file.size; at += pieceBytes) {
    const bytes = await file.slice(at, at + pieceBytes).arrayBuffer();
    signal.throwIfAborted();
    const isLast = at + pieceBytes >= file.size;
    try {
      const text = decoder.decode(bytes, { stream: !isLast });
      // eslint-disable-next-line no-control-regex -- all of ASCII.
      isAscii &&= /^[\x00-\x7f]*$/.test(text);
      if (text.includes('\0')) throw new ReadError({ code: 'binary' });
      yield { text, bytes: Math.min(at + pieceBytes, file.size) };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      if (encoding === 'utf-8' && isAscii && !isMostlyUtf8(bytes)) throw new OtherEncoding();
      throw new ReadError({ code: 'encoding' });
    }
  }
}

/** Whether bytes contain at least as many valid characters beyond ASCII as invalid bytes, and at least one. */
function isMostlyUtf8(bytes: ArrayBuffer): boolean {
  const text = new TextDecoder().decode(bytes);
  const invalid = text.match(/\ufffd/g)?.length ?? 0;
  const valid = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  return valid > 0 && valid >= invalid;
}

/** Finds the encoding by the first bytes. @throws {ReadError} It is a spreadsheet, which is a ZIP archive. */
export async function findEncoding(file: Blob): Promise<Encoding> {
  const [a = 0, b = 0, c = 0, d = 0] = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (a === 0x50 && b === 0x4b && c === 3 && d === 4) throw new ReadError({ code: 'spreadsheet' });
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return 'utf-8';
}
