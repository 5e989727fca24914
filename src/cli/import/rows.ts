import { ShelflistError } from '../../errors.ts';
import { readCsvRows } from './csv-rows.ts';
import { readJsonRows, readNdjsonRows } from './json-rows.ts';
import { longestRow, type Row, type RowsOptions } from './row.ts';
import { decodeText, resume } from './text.ts';

/**
 * Reads a file row by row: CSV with commas, semicolons or tabs, a JSON array, or NDJSON, whichever it is by its
 * first character.
 *
 * @throws {ShelflistError} `usage` when the columns cannot be found; `failed` when the file is none of these, or,
 * after its last whole row, when it is cut off.
 */
export async function* readRows(bytes: AsyncIterable<Uint8Array>, options: RowsOptions): AsyncGenerator<Row> {
  const { first, text } = await peek(decodeText(bytes));
  if (first === '') throw new ShelflistError('failed', { message: 'the file is empty' });
  if (first === '[') yield* readJsonRows(text, options);
  else if (first === '{') yield* readNdjsonRows(text, options);
  else yield* readCsvRows(text, options);
}

/** The first character that is no space, and the whole text again. */
async function peek(text: AsyncGenerator<string>): Promise<{ first: string; text: AsyncGenerator<string> }> {
  const held: string[] = [];
  for (let length = 0; length <= longestRow;) {
    const chunk = await text.next();
    if (chunk.done === true) break;
    held.push(chunk.value);
    length += chunk.value.length;
    const [first] = chunk.value.trimStart();
    if (first !== undefined) return { first, text: resume(held, text) };
  }
  return { first: '', text };
}
