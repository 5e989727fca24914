import { ShelflistError } from '../../../../catalogue/errors.ts';
import { mapFields, fieldNames } from '../../../../catalogue/fields.ts';
import type { Mapping } from '../../../../catalogue/import/columns.ts';
import {
  createBookParser,
  fileFormats,
  type ParsedFormat,
  sources,
} from '../../../../formats/file-formats.ts';
import type { BookParser, ParsedBook } from '../../../../formats/record.ts';
import { cutOff, type Row, type RowsOptions } from './row.ts';
import { findBadField } from './encoding/bad-bytes.ts';
import { decodeText } from './encoding/text.ts';
import { requireYear } from './read-record.ts';

/**
 * Reads a file whose records have the fields of its format: MARC21, MARCXML, RIS and BibTeX.
 *
 * @throws {ShelflistError} `usage`: a column was chosen. `failed`: as `readRows` does.
 */
export async function* readParsedRows(
  bytes: AsyncIterable<Uint8Array>,
  format: ParsedFormat,
  options: RowsOptions,
): AsyncGenerator<Row> {
  const { chosen, isMatched, delimiter } = options;
  const option =
    Object.keys(chosen).length > 0 ? '--map' : isMatched ? '--match' : delimiter && '--delimiter';
  if (option)
    throw new ShelflistError('usage', {
      message: `${option} does not apply to ${fileFormats[format].name}, which has no columns`,
    });
  const parser = await createBookParser(format);
  yield* 'bytes' in parser
    ? readRowsOf(parser.bytes, bytes, format, options)
    : readRowsOf(parser.text, decodeText(bytes, options.encoding), format, options);
}

async function* readRowsOf<Chunk extends string | Uint8Array>(
  parser: BookParser<Chunk>,
  chunks: AsyncIterable<Chunk>,
  format: ParsedFormat,
  { onStart, needsYear = false, mayBeEmpty = false }: RowsOptions,
): AsyncGenerator<Row> {
  let isStarted = false;
  let isEmpty = true;
  const toRow = ({ record, ...rest }: ParsedBook): Row => {
    if (!isStarted) onStart({ mapping: mappingOf(format) });
    isStarted = true;
    const read = 'fields' in rest && needsYear ? { ...rest, ...requireYear(rest.fields) } : rest;
    const reason = 'fields' in read ? findBadField(read.fields) : undefined;
    const { original } = rest;
    return { ...(reason === undefined ? read : { reason, original }), line: record, unit: 'record' };
  };
  for await (const chunk of chunks) {
    isEmpty &&= chunk.length === 0;
    for (const parsed of parser.push(chunk)) yield toRow(parsed);
  }
  if (isEmpty && !mayBeEmpty) throw new ShelflistError('failed', { message: 'the file is empty' });
  if (isEmpty) return;
  for (const parsed of parser.end()) yield toRow(parsed);
  if (parser.cut !== undefined) throw cutOff(parser.cut);
}

/** Says where the fields are found. */
export function mappingOf(format: keyof typeof sources): Mapping {
  const carried = fieldNames.filter((name) => sources[format][name] !== undefined);
  return mapFields(carried, (name) => ({ name: sources[format][name] ?? '', at: -1 }));
}
