import { ShelflistError } from '../../../../catalogue/errors.ts';
import { readCsvRows } from './csv-rows.ts';
import { isParsedFormat } from '../../../../formats/file-formats.ts';
import { gunzip } from './gunzip.ts';
import { readJsonRows, readNdjsonRows } from './json-rows.ts';
import { readParsedRows } from './parsed-rows.ts';
import { maxRowLength, type Row, type RowsOptions } from './row.ts';
import { decodeText, resume } from './encoding/text.ts';

/**
 * Reads a file row by row; it may be compressed with gzip. Unless the format is given, the first character tells it: `[` is a
 * JSON array, `{` is NDJSON, anything else is CSV.
 *
 * @throws {ShelflistError} `usage`: the columns cannot be found. `failed`: the file is empty or invalid; or, after its last
 * whole row, it is cut off.
 */
export async function* readRows(bytes: AsyncIterable<Uint8Array>, options: RowsOptions): AsyncGenerator<Row> {
  const { format, encoding } = options;
  const content = gunzip(bytes);
  if (isParsedFormat(format)) {
    yield* readParsedRows(content, format, options);
    return;
  }
  const { first, text } = await peek(decodeText(content, encoding));
  if (first === '' && options.mayBeEmpty === true) return;
  if (first === '') throw new ShelflistError('failed', { message: 'the file is empty' });
  const found = format ?? (first === '[' ? 'json' : first === '{' ? 'ndjson' : 'csv');
  if (found === 'json' || found === 'csl-json') yield* readJsonRows(text, options);
  else if (found === 'ndjson') yield* readNdjsonRows(text, options);
  else yield* readCsvRows(text, options);
}

/** The first character that is not white space, and the whole text again. */
async function peek(text: AsyncGenerator<string>): Promise<{ first: string; text: AsyncGenerator<string> }> {
  const held: string[] = [];
  for (let length = 0; ;) {
    const chunk = await text.next();
    if (chunk.done === true) return { first: '', text };
    held.push(chunk.value);
    length += chunk.value.length;
    const [first] = chunk.value.trimStart();
    if (first !== undefined) return { first, text: resume(held, text) };
    if (length <= maxRowLength) continue;
    await text.return(undefined);
    throw new ShelflistError('failed', {
      message: 'the file begins with more than 16 MiB of white space; it was not read',
    });
  }
}
