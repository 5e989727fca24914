/**
 * The one error class and the one table behind it. A code is API and never changes; the wire message of a
 * code is fixed by the service's specification; the text a person reads (`message`) may get better.
 */

interface Row {
  /** The HTTP status that carries this error, and that stands in the envelope. */
  readonly status: number;
  /** The envelope's `message`. */
  readonly wire: string;
  /** The exit status of a command that ends with it: 1 failed, 2 usage, 3 not found, 4 refused, 5 server. */
  readonly exit: number;
}

/** How soon a client may try again what was unavailable. */
const retryAfterSeconds = '5';

const wireErrors = {
  bad_request: { status: 400, wire: 'Bad request', exit: 1 },
  invalid_input: { status: 400, wire: 'Invalid input', exit: 1 },
  invalid_payload: { status: 400, wire: 'Invalid request payload', exit: 1 },
  invalid_query: { status: 400, wire: 'Invalid query', exit: 1 },
  invalid_credentials: { status: 401, wire: 'Invalid credentials', exit: 4 },
  token_required: { status: 401, wire: 'Authorization token required', exit: 4 },
  invalid_token: { status: 401, wire: 'Invalid token', exit: 4 },
  book_not_found: { status: 404, wire: 'Book not found', exit: 3 },
  not_found: { status: 404, wire: 'Not found', exit: 5 },
  method_not_allowed: { status: 405, wire: 'Method not allowed', exit: 5 },
  request_timeout: { status: 408, wire: 'Request timeout', exit: 5 },
  precondition_failed: { status: 412, wire: 'Precondition failed', exit: 1 },
  body_too_large: { status: 413, wire: 'Request body too large', exit: 1 },
  unsupported_encoding: { status: 415, wire: 'Unsupported content encoding', exit: 1 },
  expectation_failed: { status: 417, wire: 'Expectation failed', exit: 1 },
  too_many_attempts: { status: 429, wire: 'Too many attempts', exit: 4 },
  headers_too_large: { status: 431, wire: 'Request header fields too large', exit: 1 },
  token_not_signed: { status: 500, wire: 'Could not generate token', exit: 5 },
  internal: { status: 500, wire: 'Internal server error', exit: 5 },
  unavailable: { status: 503, wire: 'Service unavailable', exit: 5 },
} as const satisfies Record<string, Row>;

/** Errors that never travel in an envelope under their own name: of a start, of a store, of the client. */
const localErrors = {
  /** A setting is missing or malformed; the service does not start. */
  config: { status: 500, wire: 'Internal server error', exit: 1 },
  /** The store cannot be opened or prepared; the service does not start. */
  store_unusable: { status: 500, wire: 'Internal server error', exit: 1 },
  /** A stored record is not a book: something else wrote it, or it is damaged. */
  store_damaged: { status: 500, wire: 'Internal server error', exit: 5 },
  /** The store was closed; the caller still holds it. */
  store_closed: { status: 503, wire: 'Service unavailable', exit: 5 },
  /** The client got no answer: nobody listens, the name does not resolve, the connection broke. */
  unreachable: { status: 503, wire: 'Service unavailable', exit: 5 },
  /** The client got an answer that is not an envelope: another program listens there. */
  bad_response: { status: 502, wire: 'Bad response', exit: 5 },
  /** No usable token is at hand; log in first. */
  not_logged_in: { status: 401, wire: 'Authorization token required', exit: 4 },
  /** A command line that makes no sense. */
  usage: { status: 400, wire: 'Bad request', exit: 2 },
  /** A command that could not do what it was asked, for a reason its message names. */
  failed: { status: 500, wire: 'Internal server error', exit: 1 },
  /** The user stopped it (Ctrl-C). */
  interrupted: { status: 500, wire: 'Internal server error', exit: 130 },
} as const satisfies Record<string, Row>;

const table: Record<ErrorCode, Row> = { ...wireErrors, ...localErrors };

/** A code that may stand in an answer of the service. */
export type WireErrorCode = keyof typeof wireErrors;

/** Every stable code that {@link ShelflistError.code} can have. */
export type ErrorCode = WireErrorCode | keyof typeof localErrors;

export interface ShelflistErrorOptions {
  /** What a person should read: what is wrong and what to do. Default: the wire message of the code. */
  readonly message?: string;
  /** What caused it. It goes to the log, never into an answer. */
  readonly cause?: unknown;
  /** Response headers that belong to it (`Allow`, `Retry-After`). Default: `Retry-After` for a 503. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Marks errors of all copies of the package: a process may have loaded several copies, of different versions. */
const brand: unique symbol = Symbol.for('shelflist.error');

/**
 * Every failure that shelflist foresees, on either side of the wire. `instanceof` also recognizes an error of another copy
 * of the package, if its code is one of {@link ErrorCode}.
 *
 * @example
 * try {
 *   await client.get(7);
 * } catch (error) {
 *   if (error instanceof ShelflistError && error.code === 'book_not_found') console.log('no book 7');
 *   else throw error;
 * }
 */
export class ShelflistError extends Error {
  override readonly name = 'ShelflistError';
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass is not branded: only its own instances count.
    if (this !== ShelflistError) return Function.prototype[Symbol.hasInstance].call(this, value);
    if (typeof value !== 'object' || value === null) return false;
    const code: unknown = (value as Partial<ShelflistError>)[brand];
    return typeof code === 'string' && Object.hasOwn(table, code);
  }

  constructor(code: ErrorCode, options: ShelflistErrorOptions = {}) {
    super(options.message ?? table[code].wire, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.headers =
      options.headers ?? (table[code].status === 503 ? { 'Retry-After': retryAfterSeconds } : {});
  }

  /** For {@link Symbol.hasInstance} of another copy. */
  get [brand](): ErrorCode {
    return this.code;
  }

  /** The HTTP status that stands for it. */
  get status(): number {
    return table[this.code].status;
  }

  /** The envelope's `message` for it: fixed text that never tells an internal detail. */
  get wireMessage(): string {
    return table[this.code].wire;
  }

  /** The exit status of a command that ends with it. */
  get exitCode(): number {
    return table[this.code].exit;
  }
}

/** The code of an answer, by its status and message; `undefined` when the service has no such error. */
export function wireErrorCode(status: number, message: string): WireErrorCode | undefined {
  for (const [code, row] of Object.entries(wireErrors)) {
    if (row.status === status && row.wire === message) return code as WireErrorCode;
  }
  return undefined;
}
