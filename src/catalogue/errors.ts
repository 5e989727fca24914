interface Row {
  /** The HTTP status. */
  readonly status: number;
  /** The envelope's `message`. */
  readonly wire: string;
}

/** The default `Retry-After`, in seconds. */
const retryAfterSeconds = { 503: '5', 409: '1' };

/**
 * The errors of responses. A code is part of the API and never changes. The specification fixes `status` and `wire`. The text
 * for people (`ShelflistError.message`) may change.
 */
const wireErrors = {
  bad_request: { status: 400, wire: 'Bad request' },
  invalid_input: { status: 400, wire: 'Invalid input' },
  invalid_payload: { status: 400, wire: 'Invalid request payload' },
  invalid_query: { status: 400, wire: 'Invalid query' },
  invalid_credentials: { status: 401, wire: 'Invalid credentials' },
  token_required: { status: 401, wire: 'Authorization token required' },
  invalid_token: { status: 401, wire: 'Invalid token' },
  forbidden: { status: 403, wire: 'Forbidden' },
  book_not_found: { status: 404, wire: 'Book not found' },
  not_found: { status: 404, wire: 'Not found' },
  method_not_allowed: { status: 405, wire: 'Method not allowed' },
  request_timeout: { status: 408, wire: 'Request timeout' },
  request_in_progress: { status: 409, wire: 'Request in progress' },
  precondition_failed: { status: 412, wire: 'Precondition failed' },
  body_too_large: { status: 413, wire: 'Request body too large' },
  unsupported_encoding: { status: 415, wire: 'Unsupported content encoding' },
  expectation_failed: { status: 417, wire: 'Expectation failed' },
  key_reused: { status: 422, wire: 'Idempotency key reused' },
  too_many_attempts: { status: 429, wire: 'Too many attempts' },
  too_many_requests: { status: 429, wire: 'Too many requests' },
  headers_too_large: { status: 431, wire: 'Request header fields too large' },
  token_not_signed: { status: 500, wire: 'Could not generate token' },
  internal: { status: 500, wire: 'Internal server error' },
  not_implemented: { status: 501, wire: 'Not implemented' },
  unavailable: { status: 503, wire: 'Service unavailable' },
} as const satisfies Record<string, Row>;

/** The errors of start, stores and client, which have no code of their own in responses. */
const localErrors = {
  /** A setting is missing or malformed; the service does not start. */
  config: wireErrors.internal,
  /** The store cannot be opened or prepared; the service does not start. */
  store_unusable: wireErrors.internal,
  /** A stored record is not a book, or the store is damaged. A service reports it by `X-Store`. */
  store_damaged: wireErrors.internal,
  /** The store was closed; the caller still holds it. */
  store_closed: wireErrors.unavailable,
  /** The client got no response: nothing listens, the name does not resolve, or the connection broke. */
  unreachable: wireErrors.unavailable,
  /** The client did not get the complete response in time. */
  timeout: { status: 504, wire: 'Gateway timeout' },
  /** The client got a response without an envelope: another program listens there. */
  bad_response: { status: 502, wire: 'Bad response' },
} as const satisfies Record<string, Row>;

const table: Record<ErrorCode, Row> = { ...wireErrors, ...localErrors };

/** A code that a response of the service can have. */
export type WireErrorCode = keyof typeof wireErrors;

/** A value of {@link ShelflistError.code}. */
export type ErrorCode = WireErrorCode | keyof typeof localErrors;

/** What an error has besides its code. */
export interface ShelflistErrorOptions {
  /** The text for people: what failed, why, and how to fix it. Default: the wire message. */
  readonly message?: string | undefined;
  /** The cause. It goes to the log, never into a response. */
  readonly cause?: unknown;
  /** Response headers (`Allow`, `Retry-After`). Default: `Retry-After` for a 409 or 503, `X-Store` for `store_damaged`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The `X-Request-Id` of the response. */
  readonly requestId?: string | undefined;
}

/** The response header of a permanent error: the store is damaged, and its operator must repair it. */
export const storeHeader = 'X-Store';
export const damaged: Readonly<Record<string, string>> = { [storeHeader]: 'damaged' };

/** Marks errors of all copies of the package: a process may have loaded several copies, of different versions. */
const brand: unique symbol = Symbol.for('shelflist.error');

/**
 * An expected failure of the service or the client. `instanceof` also recognizes an error of another copy of the
 * package, if its code is an {@link ErrorCode}.
 *
 * @example
 * try {
 *   await client.get(7);
 * } catch (error) {
 *   if (error instanceof ShelflistError && error.code === 'book_not_found') console.log('book 7 does not exist');
 *   else throw error;
 * }
 */
export class ShelflistError extends Error {
  /** Distinguishes it from other errors in logs. */
  override readonly name = 'ShelflistError';
  /** What failed. It never changes between versions, unlike the message. */
  readonly code: ErrorCode;
  /** The headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** The id of the request, which the log of the service has, too; `undefined` unless a service has sent this error. */
  readonly requestId: string | undefined;

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass is not branded: only its own instances count. It has this method from here; the name of this class, in the class,
    // would make bundlers rename it in stack traces.
    if (!Object.hasOwn(this, Symbol.hasInstance))
      return Function.prototype[Symbol.hasInstance].call(this, value);
    if (typeof value !== 'object' || value === null) return false;
    const code: unknown = (value as Partial<ShelflistError>)[brand];
    return typeof code === 'string' && Object.hasOwn(table, code);
  }

  constructor(code: ErrorCode, options: ShelflistErrorOptions = {}) {
    super(options.message ?? table[code].wire, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.requestId = options.requestId;
    const { status } = table[code];
    const isTemporary = status === 503 || status === 409;
    const usual = isTemporary ? { 'Retry-After': retryAfterSeconds[status] } : {};
    this.headers = options.headers ?? (code === 'store_damaged' ? damaged : usual);
  }

  /** For `Symbol.hasInstance` of another copy. */
  get [brand](): ErrorCode {
    return this.code;
  }

  /** The HTTP status. */
  get status(): number {
    return table[this.code].status;
  }

  /** The envelope's `message`: fixed text without internal details. */
  get wireMessage(): string {
    return table[this.code].wire;
  }
}

/** Whether an error is a `ShelflistError` with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is ShelflistError {
  return error instanceof ShelflistError && codes.includes(error.code);
}

/** The response header of an answer that is still being computed: the percentage that is done. */
export const progressHeader = 'X-Progress';

/** An answer that the service is still computing. */
export interface Computing {
  readonly percent: number;
  /** The estimated time until it is ready. */
  readonly seconds: number;
  /** The pause before the next request. It is shorter than a long computation, so that its progress is seen. */
  readonly pauseMs: number;
}

const maxPauseSeconds = 10;

/** What an error says about an answer that is still being computed; `undefined` for any other error. */
export function computingOf(error: unknown): Computing | undefined {
  if (!hasCode(error, 'unavailable')) return undefined;
  const { [progressHeader]: percent, 'Retry-After': retryAfter } = error.headers;
  if (percent === undefined) return undefined;
  const seconds = Math.max(1, Number(retryAfter) || 0);
  return { percent: Number(percent) || 0, seconds, pauseMs: 1000 * Math.min(seconds, maxPauseSeconds) };
}

/** The code of a response with this status and message; `undefined` if the service has no such error. */
export function wireErrorCode(status: number, message: string): WireErrorCode | undefined {
  for (const [code, row] of Object.entries(wireErrors)) {
    if (row.status === status && row.wire === message) return code as WireErrorCode;
  }
  return undefined;
}
