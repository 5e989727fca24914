import { describe, describeCut } from '../../src/formats/problems.ts';
import type { BookParser, ParsedBook } from '../../src/formats/record.ts';

/** What a parser makes of pieces: the books or reasons, and what is incomplete or failed. */
export interface Parsed {
  books: readonly unknown[];
  cut: string | undefined;
  failure: string | undefined;
}

export function parsePieces<Chunk extends string | Uint8Array>(
  parser: BookParser<Chunk>,
  pieces: Iterable<Chunk>,
): Parsed {
  const books: unknown[] = [];
  const take = (parsed: Iterable<ParsedBook>) => {
    for (const each of parsed) books.push('fields' in each ? each.fields : describe(each.problem));
  };
  try {
    for (const piece of pieces) take(parser.push(piece));
    take(parser.end());
    return { books, cut: parser.cut && describeCut(parser.cut), failure: undefined };
  } catch (error) {
    return { books, cut: undefined, failure: (error as Error).message };
  }
}

/** Bytes one by one. */
export function singleBytes(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
}
