// Bytes to rows: finds the format of a file, and hands it to the reader of that format.
import { formatOfFile, isParsedFormat, type FormatName } from '../formats/file-formats.ts';
import { FileError } from '../formats/problems.ts';
import { createPauses } from '../lib/pauses.ts';
import { concat, textOfCodes } from '../lib/byte-arrays.ts';
import { readCsvRows } from './csv-rows.ts';
import { decodeText } from './decode-text.ts';
import { formatOf, formatOfText, gzipStart, kindOfBytes, maxSignature } from './find-format.ts';
import { readIsbnRows } from './isbn-rows.ts';
import { readJsonRows, readNdjsonRows, readObjectRows } from './json-rows.ts';
import { peek } from './peek.ts';
import { parseRecords } from './record-rows.ts';
import type { BookRow, ReadOptions } from './row.ts';
import { withoutTotal } from './totals.ts';

/** White space before the first character, in characters: more is not a file of books. */
const maxWhiteSpace = 16 * 1024 * 1024;

/**
 * Reads the books of a file, row by row; it may be compressed with gzip. Unless the format is given, the content tells it; where it
 * looks like none, the name of the file does, else it is CSV.
 *
 * @throws {FileError} The file is empty, damaged or of a kind that is not read; or, after its last whole row, it is cut off.
 */
export async function* readBooks(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const { signal } = options;
  const { format, content } = await openBytes(bytes, options);
  const paused = withPauses(content, signal);
  if (isArchive(format))
    yield* withoutTotal((await import('./sheet-rows.ts')).readSheetRows(paused, options), options);
  else if (format === 'marc') yield* (await import('./marc-rows.ts')).readMarcRows(paused, options);
  else yield* readText(decodeText(paused, options), { ...options, format });
}

/**
 * Finds the encoding of a file without reading its rows, and asks if there are several: before its first row is written. `undefined`
 * if it is ASCII alone, or no text.
 *
 * @throws {FileError} What {@link readBooks} throws of the encoding.
 */
export async function findEncoding(
  bytes: AsyncIterable<Uint8Array>,
  options: Omit<ReadOptions, 'onStart' | 'onEncoding'>,
): Promise<string | undefined> {
  let encoding: string | undefined;
  const onEncoding = (found: string) => {
    encoding = found;
  };
  const { format, content } = await openBytes(bytes, options);
  if (format === 'marc') {
    const { findRecordEncoding } = await import('./marc-rows.ts');
    const { found, whole } = await findRecordEncoding(content, options);
    await whole.next(); // As below: one that has not begun cannot be ended.
    await whole.return(undefined);
    return found;
  }
  const isText = !isArchive(format);
  const text = decodeText(withPauses(content, options.signal), { ...options, onEncoding });
  const pieces: AsyncIterator<unknown> = (isText ? text : content)[Symbol.asyncIterator]();
  while ((await pieces.next()).done !== true && isText && encoding === undefined);
  await pieces.return?.(); // Ends the source.
  return encoding;
}

/** Reads a text. */
async function* readText(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<BookRow> {
  const { found, isObject, whole } = await peekFormat(text, options);
  if (found === undefined) return;
  if (found === 'html') yield* (await import('./html-rows.ts')).readHtmlRows(whole, options);
  else if (isParsedFormat(found)) yield* parseRecords(whole, found, options);
  else if (found === 'isbn') yield* readIsbnRows(whole, options);
  else if (found === 'openlibrary') yield* readNdjsonRows(whole, options);
  else if (found === 'ndjson' || (isJson(found) && isObject)) yield* readObjectRows(whole, options);
  else if (isJson(found)) yield* readJsonRows(whole, options);
  else yield* withoutTotal(readCsvRows(whole, options), options);
}

/** Finds the format of a text; `undefined` if it is empty, and may be. */
async function peekFormat(text: AsyncIterable<string>, { format, byName, mayBeEmpty }: ReadOptions) {
  /** From the first character that is not white space. */
  let start = '';
  let length = 0;
  let found: FormatName | 'more' | undefined = 'more';
  const isEnough = (some: readonly string[]) => {
    const last = some.at(-1) ?? '';
    start = start === '' ? last.trimStart() : start + last;
    length += last.length;
    if (start === '' && length > maxWhiteSpace) throw new FileError({ code: 'whiteSpace' });
    if (start === '') return false;
    found = format ?? formatOfText(start, false);
    return found !== 'more';
  };
  const { found: name, whole } = await peek(text, isEnough, (): FormatName | undefined => {
    if (start === '' && mayBeEmpty === true) return undefined;
    if (start === '') throw new FileError({ code: 'empty' });
    if (found === 'more') found = formatOfText(start, true);
    if (found === undefined && start.slice(0, maxSignature).includes('\0'))
      throw new FileError({ code: 'otherKind', kind: 'binary' });
    return found === undefined || found === 'more' ? (byName ?? 'csv') : found;
  });
  return { found: name, isObject: start.startsWith('{'), whole };
}

const isArchive = (format: FormatName | 'zip' | undefined) =>
  format === 'zip' || format === 'xlsx' || format === 'ods';
const isJson = (format: FormatName) => format === 'json' || format === 'csl-json';

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

/** The formats in which an export of no books is an empty file. */
const formatsOfEmptyFiles: readonly (FormatName | undefined)[] = ['ndjson', 'ris', 'bibtex'];

/**
 * How to read a file by its name.
 *
 * @param given The format, if somebody says it.
 */
export function optionsOfFile(
  name: string,
  given?: FormatName,
): Pick<ReadOptions, 'format' | 'byName' | 'mayBeEmpty'> {
  const byName = formatOfFile(name);
  return { format: given, byName, mayBeEmpty: formatsOfEmptyFiles.includes(given ?? byName) };
}

/** What no file of bytes in a format of its own begins with, although its name says so. */
const textStart = /^(?:\xef\xbb\xbf)?\s*[<=[{]/;

/**
 * Decompresses a file that is compressed with gzip, and tells a format of bytes; `zip` for an archive, whose entries tell it;
 * `undefined` for a text that may have any format.
 */
async function openBytes(
  bytes: AsyncIterable<Uint8Array>,
  { format, byName }: Pick<ReadOptions, 'format' | 'byName'>,
): Promise<{ format: FormatName | 'zip' | undefined; content: AsyncIterable<Uint8Array> }> {
  const startOf = (some: readonly Uint8Array[]) => textOfCodes(concat(some).subarray(0, maxSignature));
  const { found, whole } = await peek(
    bytes,
    (some) => {
      const { length } = startOf(some);
      return length >= maxSignature || (length >= 4 && startOf(some).includes('\n')); // Somebody may type it.
    },
    (some) => {
      const start = startOf(some);
      if (start.startsWith(gzipStart)) return 'gzip';
      const kind = kindOfBytes(start);
      if (kind === 'zip') return kind;
      if (kind !== undefined && kind !== 'marc') return formatOf(kind);
      return format ?? kind ?? (byName === 'marc' && !textStart.test(start) ? byName : undefined);
    },
  );
  if (found === 'gzip') return openBytes((await import('./gunzip.ts')).gunzip(whole), { format, byName });
  return { format: found, content: whole };
}
