// Bytes of MARC21 to rows: finds the encoding of the records that are not UTF-8.
import { isUtf8Record } from '../formats/iso2709.ts';
import { concat, textOfCodes } from '../lib/byte-arrays.ts';
import { type EncodingOptions, findPlausible } from './decode-text.ts';
import { createPlainDecoder, encodingOf, marc8, usualEncodings } from './encodings.ts';
import { peek } from './peek.ts';
import { parseRecords } from './record-rows.ts';
import type { BookRow, ReadOptions } from './row.ts';

export async function* readMarcRows(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const { found, whole } = await findRecordEncoding(bytes, options);
  const decode = found === undefined ? undefined : createPlainDecoder(found);
  yield* parseRecords(whole, 'marc', options, decode && ((field) => decode(field, true)));
}

/** In bytes: at least ten records. */
const maxStart = 1024 * 1024;

/** What ends a record, ends a field, and begins a subfield. */
const [recordEnd, fieldEnd, subfieldStart] = [0x1d, 0x1e, 0x1f];

/** How much less usual MARC-8 is: where no leader says UTF-8, which means MARC-8; and else. */
const [rarityUnflagged, rarityFlagged] = [-10, 6];

/**
 * Finds the encoding of the records that are not UTF-8: the named one; else the one in which their letters are most plausible.
 *
 * @returns The encoding; `undefined` if the first records are UTF-8. And the whole file again.
 * @throws {FileError} It is unknown, or one of several, and nobody says which.
 */
export async function findRecordEncoding(
  bytes: AsyncIterable<Uint8Array>,
  { encoding: label, askEncoding, onEncoding }: EncodingOptions,
): Promise<{ found: string | undefined; whole: AsyncGenerator<Uint8Array> }> {
  let length = 0;
  const isEnough = (taken: readonly Uint8Array[]) => {
    length += taken.at(-1)?.length ?? 0;
    return label !== undefined || length >= maxStart;
  };
  const { found, whole } = await peek(bytes, isEnough, async (taken): Promise<string | undefined> => {
    if (label !== undefined) return encodingOf(label);
    const records = splitRecords(concat(taken)).filter((record) => !isUtf8Record(record));
    if (records.length === 0) return undefined;
    const isFlagged = records.some((record) => leaderOf(record)[9] === 'a');
    const encodings = { ...usualEncodings, [marc8]: isFlagged ? rarityFlagged : rarityUnflagged };
    return findPlausible(concat(records.map(asLines)), true, askEncoding, encodings);
  });
  if (found !== undefined) onEncoding?.(found);
  return { found, whole };
}

/** The whole records of a part of a file. */
function splitRecords(bytes: Uint8Array): Uint8Array[] {
  const records: Uint8Array[] = [];
  let start = 0;
  for (let end = bytes.indexOf(recordEnd); end >= 0; end = bytes.indexOf(recordEnd, start)) {
    records.push(bytes.subarray(start, end + 1));
    start = end + 1;
  }
  return records;
}

/** The leader of a record, which may follow a line break. */
function leaderOf(record: Uint8Array): string {
  return textOfCodes(record.subarray(0, 32)).trimStart();
}

/** A record as text: a subfield a line. */
function asLines(record: Uint8Array): Uint8Array {
  return record.map((byte, at) => {
    if (byte === recordEnd || byte === fieldEnd || byte === subfieldStart) return 0x0a;
    return record[at - 1] === subfieldStart ? 0x20 : byte;
  });
}
