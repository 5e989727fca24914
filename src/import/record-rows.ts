import { fieldNames, mapFields } from '../catalogue/fields.ts';
import { createBookParser, sources, type ParsedFormat } from '../formats/file-formats.ts';
import { FileError } from '../formats/problems.ts';
import type { BookParser, ParsedBook } from '../formats/record.ts';
import { findBadField } from './bad-bytes.ts';
import type { Mapping } from './columns.ts';
import { decodeText } from './decode-text.ts';
import { requireYear } from './read-fields.ts';
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
    const row = { line: record, unit: 'record', original } as const;
    if ('problem' in read) return { ...row, ...read };
    const problem = findBadField(read.fields);
    if (problem !== undefined) return { ...row, problem };
    return { ...row, ...(needsYear ? requireYear(read.fields) : read) };
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

/** Where a format has the fields of a book, if not in columns. */
export function fixedMapping(format: keyof typeof sources): Mapping {
  const carried = fieldNames.filter((name) => sources[format][name] !== undefined);
  return mapFields(carried, (name) => ({ name: sources[format][name] ?? '', at: -1 }));
}
