// Bytes to rows: finds the format of a file, and hands it to the reader of that format.
import { formatOfFile, isParsedFormat, type FormatName } from '../formats/file-formats.ts';
import { FileError } from '../formats/problems.ts';
import { createPauses } from '../lib/pauses.ts';
import { concat, textOfCodes } from '../lib/byte-arrays.ts';
import { readCsvRows } from './csv-rows.ts';
import { decodeText } from './decode-text.ts';
import { readJsonRows, readNdjsonRows } from './json-rows.ts';
import { peek } from './peek.ts';
import { readRecords } from './record-rows.ts';
import type { BookRow, ReadOptions } from './row.ts';

/** White space before the first character, in characters: more is not a file of books. */
const maxWhiteSpace = 16 * 1024 * 1024;

/**
 * Reads the books of a file, row by row; it may be compressed with gzip. Unless the format is given, the first character tells
 * it: `[` is a JSON array, `{` is NDJSON, any other text is CSV. A ZIP archive is an Excel workbook, whatever its name.
 *
 * @throws {FileError} The file is empty, damaged or not text, or has another format; or, after its last whole row, it is cut off.
 */
export async function* readBooks(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const { format, encoding, signal } = options;
  const { isWorkbook, content } = await decompress(bytes, format);
  const paused = withPauses(content, signal);
  if (isWorkbook) {
    yield* (await import('./sheet-rows.ts')).readSheetRows(paused, options);
    return;
  }
  if (isParsedFormat(format)) {
    yield* readRecords(paused, format, options);
    return;
  }
  let length = 0;
  const { found, whole } = await peek(
    decodeText(paused, encoding),
    (some) => {
      const last = some.at(-1) ?? '';
      length += last.length;
      if (length > maxWhiteSpace && last.trim() === '') throw new FileError({ code: 'whiteSpace' });
      return last.trim() !== '';
    },
    (taken) => findTextFormat(taken, options),
  );
  if (found === undefined) return;
  if (found === 'json' || found === 'csl-json') yield* readJsonRows(whole, options);
  else if (found === 'ndjson') yield* readNdjsonRows(whole, options);
  else yield* readCsvRows(whole, options);
}

/** Lets the event loop run between pieces of a file: they may have no rows, and those of a compressed file are all ready at once. */
async function* withPauses(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const pause = createPauses(signal);
  for await (const piece of pieces) {
    await pause();
    yield piece;
  }
}

/** The format of a text by its start; `undefined` if it is empty, and may be. */
function findTextFormat(
  taken: readonly string[],
  { format, mayBeEmpty }: ReadOptions,
): FormatName | undefined {
  const [first] = (taken.at(-1) ?? '').trimStart();
  if (first === undefined && mayBeEmpty === true) return undefined;
  if (first === undefined) throw new FileError({ code: 'empty' });
  const found = format ?? (first === '[' ? 'json' : first === '{' ? 'ndjson' : 'csv');
  if (found === 'csv' && taken.join('').slice(0, signatureLength).includes('\0'))
    throw new FileError({ code: 'notTable', isPdf: false });
  return found;
}

/** The formats in which an export of no books is an empty file. */
const formatsOfEmptyFiles: readonly (FormatName | undefined)[] = ['ndjson', 'ris', 'bibtex'];

/**
 * How to read a file by its name. Its first character tells JSON and CSV apart, whatever its extension.
 *
 * @param given The format, if somebody says it.
 */
export function optionsOfFile(name: string, given?: FormatName): Pick<ReadOptions, 'format' | 'mayBeEmpty'> {
  const named = given ?? formatOfFile(name);
  return {
    format: given ?? (isParsedFormat(named) ? named : undefined),
    mayBeEmpty: formatsOfEmptyFiles.includes(named),
  };
}

/** The first bytes of gzip, of a ZIP archive, and of a PDF. */
const gzipStart = '\u001f\u008b';
const zipStart = 'PK\u0003\u0004';
const pdfStart = '%PDF-';
const startLength = pdfStart.length;

/** In characters: most binary files have a zero byte among these, a CSV has its column names. */
const signatureLength = 16;

/** Decompresses a file that is compressed with gzip, and tells whether the content is an Excel workbook. */
async function decompress(
  bytes: AsyncIterable<Uint8Array>,
  format: FormatName | undefined,
): Promise<{ isWorkbook: boolean; content: AsyncIterable<Uint8Array> }> {
  const { found: start, whole } = await peek(
    bytes,
    (some) => concat(some).length >= startLength,
    (taken) => {
      const found = textOfCodes(concat(taken).subarray(0, startLength));
      if (found === pdfStart && format !== 'xlsx') throw new FileError({ code: 'notTable', isPdf: true });
      return found;
    },
  );
  if (start.startsWith(gzipStart)) return decompress((await import('./gunzip.ts')).gunzip(whole), format);
  return { isWorkbook: format === 'xlsx' || start.startsWith(zipStart), content: whole };
}
