import { Buffer } from 'node:buffer';
import { ShelflistError } from '../../../../../catalogue/errors.ts';
import { createDecoder, createDetector, createUtf16, type Decode } from './decoders.ts';

/** The first bytes of a ZIP archive, and so of an .xlsx, .ods or .numbers; and of an .xls. */
const spreadsheetStarts = ['PK\u0003\u0004', '\u00d0\u00cf\u0011\u00e0'];
const startLength = 4;

/**
 * Decodes a file: in the named encoding; else UTF-8; UTF-16 if it starts with that byte order mark, as Excel's "Unicode text"
 * does; else Windows-1252, as older programs write CSV. The byte order mark is removed. Invalid bytes are marked
 * (`bad-bytes.ts`).
 *
 * @param encoding A label of the Encoding Standard (https://encoding.spec.whatwg.org/#names-and-labels).
 * @throws {ShelflistError} `failed`: it is a spreadsheet, or mixes encodings. `usage`: the encoding is unknown.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  encoding?: string,
): AsyncGenerator<string> {
  const named = encoding === undefined ? undefined : createDecoder(encoding);
  let decode: Decode | undefined;
  let start = Buffer.alloc(0);
  let isFirst = true;
  const withoutMark = (text: string) => {
    if (!isFirst || text === '') return text;
    isFirst = false;
    return text.replace(/^\uFEFF/, '');
  };
  for await (const chunk of bytes) {
    if (decode) yield withoutMark(decode(chunk));
    else {
      start = Buffer.concat([start, chunk]);
      if (start.length < startLength) continue;
      decode = chooseDecoder(start, named);
      yield withoutMark(decode(start));
    }
  }
  const isShort = decode === undefined;
  decode ??= chooseDecoder(start, named);
  yield withoutMark(decode(isShort ? start : Buffer.alloc(0), true));
}

function chooseDecoder(start: Buffer, named: Decode | undefined): Decode {
  if (spreadsheetStarts.includes(start.toString('latin1', 0, startLength))) throw spreadsheet();
  if (named) return named;
  const byteOrder = start.toString('hex', 0, 2);
  if (byteOrder !== 'fffe' && byteOrder !== 'feff') return createDetector();
  return createUtf16(byteOrder === 'feff');
}

function spreadsheet(): ShelflistError {
  return new ShelflistError('failed', {
    message: `this is a spreadsheet, not CSV; ${saveAsCsv}`,
  });
}

const saveAsCsv =
  'in Excel, save it with File > Save As > "CSV UTF-8"; in LibreOffice or Numbers, save or export it as CSV in UTF-8';

/** Prepends the pieces that were taken from a text to the rest of it. */
export async function* resume(
  taken: readonly string[],
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  try {
    yield* taken;
    yield* rest;
  } finally {
    await rest.return(undefined); // A reader that stops early ends the source too.
  }
}
