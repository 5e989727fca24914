import { CsvReader } from './csv-reader.ts';
import { decode, findEncoding, OtherEncoding } from './decode.ts';
import { JsonLinesReader, JsonReader } from './json-readers.ts';
import { ReadError, type Table, type TableReader, type TableRow } from './table.ts';

/** The rows of a file are held in memory. */
export const maxFileBytes = 64 * 1024 * 1024;

export interface ReadOptions {
  readonly onProgress: (doneBytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Reads a file in slices. Its first character tells the format: `[` is a JSON array, `{` is lines of JSON, anything else is
 * CSV. Its encoding is UTF-8, UTF-16 if it starts with that byte order mark, else Windows-1252.
 *
 * @throws {ReadError}
 */
export async function readTable(file: Blob, options: ReadOptions): Promise<Table> {
  if (file.size > maxFileBytes)
    throw new ReadError({ code: 'tooLarge', bytes: file.size, maxBytes: maxFileBytes });
  const encoding = await findEncoding(file);
  try {
    return await readIn(file, encoding, options);
  } catch (error) {
    if (!(error instanceof OtherEncoding)) throw error;
    return readIn(file, 'windows-1252', options);
  }
}

async function readIn(
  file: Blob,
  encoding: Awaited<ReturnType<typeof findEncoding>>,
  { onProgress, signal }: ReadOptions,
): Promise<Table> {
  let reader: TableReader | undefined;
  let start = '';
  const rows: TableRow[] = [];
  for await (const { text, bytes } of decode(file, encoding, signal)) {
    start += text; // What is blank before the first row.
    reader ??= chooseReader(start);
    if (reader !== undefined) {
      for (const row of reader.push(start)) rows.push(row);
      start = '';
    }
    onProgress(bytes);
  }
  if (reader === undefined) throw new ReadError({ code: 'empty' });
  for (const row of reader.end()) rows.push(row);
  if (rows.length === 0) throw new ReadError({ code: 'noRows' });
  if (reader.columns.length === 0) throw new ReadError({ code: 'unreadable' });
  return { columns: reader.columns, rows, unit: reader.unit };
}

/** `undefined`: the text is blank so far. */
function chooseReader(text: string): TableReader | undefined {
  const [first] = text.trimStart();
  if (first === undefined) return undefined;
  return first === '[' ? new JsonReader() : first === '{' ? new JsonLinesReader() : new CsvReader();
}
