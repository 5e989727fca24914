// Bytes or text to rows: the formats of libraries, whose records are parsed in `src/formats/`.
import { fieldNames, mapFields } from '../catalogue/fields.ts';
import { createBookParser, sources, type ParsedFormat } from '../formats/file-formats.ts';
import { FileError } from '../formats/problems.ts';
import type { BookParser, ParsedBook, ReadRecord } from '../formats/record.ts';
import { badFieldOf } from './bad-bytes.ts';
import type { Mapping } from './columns.ts';
import { decodeText } from './decode-text.ts';
import { requireYear, type ReadFields } from './read-fields.ts';
import type { BookRow, ReadOptions } from './row.ts';

/** Reads a file whose records have the fields of its format: MARC21, MARCXML, RIS and BibTeX. */
export async function* readRecords(
  bytes: AsyncIterable<Uint8Array>,
  format: ParsedFormat,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const parser = await createBookParser(format);
  yield* 'bytes' in parser
    ? parse(parser.bytes, bytes, format, options)
    : parse(parser.text, decodeText(bytes, options.encoding), format, options);
}

async function* parse<Chunk extends string | Uint8Array>(
  parser: BookParser<Chunk>,
  chunks: AsyncIterable<Chunk>,
  format: ParsedFormat,
  { onStart, needsYear = false, mayBeEmpty = false }: ReadOptions,
): AsyncGenerator<BookRow> {
  let isStarted = false;
  let isEmpty = true;
  const toRow = ({ record, original, ...read }: ParsedBook): BookRow => {
    if (!isStarted) onStart({ mapping: fixedMapping(format) });
    isStarted = true;
    return { line: record, unit: 'record', original, ...checkRecord(read, needsYear) };
  };
  for await (const chunk of chunks) {
    isEmpty &&= chunk.length === 0;
    for (const parsed of parser.push(chunk)) yield toRow(parsed);
  }
  if (isEmpty && !mayBeEmpty) throw new FileError({ code: 'empty' });
  if (isEmpty) return;
  for (const parsed of parser.end()) yield toRow(parsed);
  if (parser.cut !== undefined) throw new FileError({ code: 'cutOff', ...parser.cut });
}

/** The book of a record, unless it has a byte that is not text, or lacks a year that it needs. */
export function checkRecord(read: ReadRecord, needsYear = false): ReadFields {
  if ('problem' in read) return read;
  const problem = badFieldOf(read.fields);
  if (problem !== undefined) return { problem };
  return needsYear ? requireYear(read.fields) : read;
}

/** The mapping of a format with fields of its own. */
export function fixedMapping(format: keyof typeof sources): Mapping {
  const carried = fieldNames.filter((name) => sources[format][name] !== undefined);
  return mapFields(carried, (name) => ({ name: sources[format][name] ?? '', at: -1 }));
}
