import type { ServerResponse } from 'node:http';
import type { ShelflistError } from '../../catalogue/errors.ts';
import type { Headers } from './headers.ts';

/** Prepared JSON, in one or more pieces. */
export class JsonText {
  readonly pieces: readonly (string | Uint8Array)[];
  readonly byteLength: number;

  constructor(...pieces: (string | Uint8Array)[]) {
    this.pieces = pieces;
    this.byteLength = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  }
}

/** What surrounds the pages of a body that is sent page by page. */
export interface Frame {
  readonly head: string;
  readonly between: string;
  /** @param isEmpty Whether no page had content. */
  readonly foot: (isEmpty: boolean) => string;
}

/** A body that is sent page by page, without an envelope. */
export class TextPages {
  readonly contentType: string;
  readonly pages: AsyncIterable<string>;
  readonly frame: Frame;

  constructor(contentType: string, pages: AsyncIterable<string>, frame: Frame) {
    this.contentType = contentType;
    this.pages = pages;
    this.frame = frame;
  }
}

/**
 * The data of a response: a JSON value, the text of one, or the elements of an array page by page. A page is comma-separated
 * JSON without brackets. A string, bytes and {@link TextPages} are sent unchanged, without an envelope; the headers give the
 * type of a string and of bytes.
 */
export type Data = object | string | Uint8Array | null | AsyncIterable<string>;

/** The result of a handler. */
export interface Reply {
  readonly data: Data;
  /** Another status than that of the route, for text and bytes. */
  readonly status?: number;
  /** The quoted `ETag`. */
  readonly tag?: string;
  readonly headers?: Headers;
  /** The failure that the data tells of, for the log. */
  readonly error?: ShelflistError;
  /** Responds with 304, without data. */
  readonly isNotModified?: boolean;
  /** Sends the body after the headers instead of `data`, and ends the response. Resolves at its end. */
  readonly stream?: (response: ServerResponse) => Promise<void>;
  /** Called instead of {@link stream} for HEAD. */
  readonly dropStream?: () => void;
}

/** The reply to a client that already has the state with this tag. */
export function notModified(tag: string): Reply {
  return { tag, data: null, isNotModified: true };
}
