import { ShelflistError, type WireErrorCode } from '../../catalogue/errors.ts';
import type { Headers } from './reply.ts';

/** An error whose response has headers of its own, such as `Allow`. */
export class HttpError extends ShelflistError {
  readonly headers: Headers;

  constructor(code: WireErrorCode, headers: Headers) {
    super(code);
    this.headers = headers;
  }
}
