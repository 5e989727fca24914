// Bytes or text to rows: the formats of libraries, whose records are parsed in `src/formats/`.
import { fieldNames, mapFields } from '../catalogue/fields.ts';
import { createBookParser } from '../formats/create-parser.ts';
import { sources, type ParsedFormat } from '../formats/file-formats.ts';
import type { DecodeField } from '../formats/iso2709.ts';
import { FileError } from '../formats/problems.ts';
import type { BookParser, ParsedBook, ReadRecord } from '../formats/record.ts';
import { badFieldOf } from './bad-bytes.ts';
import type { Mapping } from './columns.ts';
import { checkYear, type ReadFields } from './read-fields.ts';
import type { BookRow, ReadOptions } from './row.ts';

/**
 * Reads records that have the fields of their format, as libraries and reference managers write them.
 *
 * @param decode Of records of MARC21 that are not UTF-8.
 */
export async function* parseRecords(
  chunks: AsyncIterable<Uint8Array | string>,
  format: ParsedFormat,
  { onStart, needsYear = false, mayBeEmpty = false }: ReadOptions,
  decode?: DecodeField,
): AsyncGenerator<BookRow> {
  const parser: BookParser<Uint8Array | string> = await createBookParser(format, decode);
  let isStarted = false;
  let isEmpty = true;
  const toRow = ({ record, original, ...read }: ParsedBook): BookRow => {
    if (!isStarted) onStart({ format, mapping: fixedMapping(format) });
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
  return checkYear(read.fields, read.notes, needsYear ? 'required' : 'any');
}

/** The mapping of a format with fields of its own. */
export function fixedMapping(format: keyof typeof sources): Mapping {
  const carried = fieldNames.filter((name) => sources[format][name] !== undefined);
  return mapFields(carried, (name) => ({ name: sources[format][name] ?? '', at: -1 }));
}
