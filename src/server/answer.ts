import type { Headers } from './headers.ts';

/** JSON that was made before, in one piece or more. */
export class JsonText {
  readonly pieces: readonly (string | Uint8Array)[];
  readonly byteLength: number;

  constructor(...pieces: (string | Uint8Array)[]) {
    this.pieces = pieces;
    this.byteLength = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  }
}

/**
 * An answer's data: a JSON value, the text of one, or the elements of an array page by page. Each page is comma-separated JSON
 * without brackets. A string is sent unchanged, without an envelope; the headers of its route give its type.
 */
export type Data = object | string | null | AsyncIterable<string>;

/** What a handler answers. */
export interface Reply {
  readonly data: Data;
  /** Its `ETag`, quoted. */
  readonly tag?: string;
  readonly headers?: Headers;
  /** The client has it already: no data is sent. */
  readonly isNotModified?: boolean;
}

/** The answer to a client that has the state with this tag already. */
export function notModified(tag: string): Reply {
  return { tag, data: null, isNotModified: true };
}
