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

interface Common {
  /** The quoted `ETag`. */
  readonly tag?: string;
  readonly headers?: Headers;
}

/** A JSON value, or prepared JSON, in the envelope. */
export interface DataReply extends Common {
  readonly data: object | null;
}

/** Text or bytes without an envelope. The headers give their type. */
export interface BodyReply extends Common {
  readonly body: string | Uint8Array;
  /** Default: the status of the route. */
  readonly status?: number;
  /** The failure that the body tells of, for the log. */
  readonly error?: ShelflistError;
}

/** A body that is made page by page: {@link TextPages}, or the elements of an array as comma-separated JSON, in the envelope. */
export interface PagesReply extends Common {
  readonly pages: TextPages | AsyncIterable<string>;
}

/** Headers, and a body that sends itself. */
export interface StreamReply extends Common {
  /** Sends the body, and ends the response. Resolves at its end. */
  readonly stream: (response: ServerResponse) => Promise<void>;
  /** Called instead of `stream` for HEAD. */
  readonly drop: () => void;
}

/** A 304: the client already has the state with this tag. */
export interface NotModifiedReply extends Common {
  readonly isNotModified: true;
}

/** The result of a handler. */
export type Reply = DataReply | BodyReply | PagesReply | StreamReply | NotModifiedReply;

export function notModified(tag: string): NotModifiedReply {
  return { tag, isNotModified: true };
}
