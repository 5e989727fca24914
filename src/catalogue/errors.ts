interface Row {
  /** The HTTP status. */
  readonly status: number;
  /** The envelope's `message`. */
  readonly wire: string;
}

/** The default pause before a request is repeated, in seconds. */
const retryAfterSeconds: Partial<Record<ErrorCode, number>> = { unavailable: 5, request_in_progress: 1 };

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
  /** Responses tell it from `not_found` by the header `X-Error-Code`. */
  batch_not_found: { status: 404, wire: 'Not found' },
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

/** The errors of stores and clients. Each has the code of the response of a service that meets it. */
const localErrors = {
  /** The store cannot be opened, prepared or backed up. */
  store_unusable: 'internal',
  /** A stored record is not a book, or the store is damaged. A service reports it by `X-Store`. */
  store_damaged: 'internal',
  /** The store was closed; the caller still holds it. */
  store_closed: 'unavailable',
  /** The client got no response: nothing listens, the name does not resolve, or the connection broke. */
  unreachable: 'unavailable',
  /** The client did not get the complete response in time. */
  timeout: 'unavailable',
  /** The client got a response without an envelope: another program listens there. */
  bad_response: 'internal',
} as const satisfies Record<string, keyof typeof wireErrors>;

const wireRows: Readonly<Record<string, Row | undefined>> = wireErrors;

/** A code that a response of the service can have. */
export type WireErrorCode = keyof typeof wireErrors;

/** A value of {@link ShelflistError.code}. */
export type ErrorCode = WireErrorCode | keyof typeof localErrors;

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && (Object.hasOwn(wireErrors, code) || Object.hasOwn(localErrors, code));
}

/** The error of a response, as it is sent. */
export interface WireError {
  readonly code: WireErrorCode;
  readonly status: number;
  /** The envelope's `message`: fixed text without internal details. */
  readonly message: string;
}

/** What a service answers when it meets an error. */
export function wireErrorOf(code: ErrorCode): WireError {
  const sent = code in localErrors ? localErrors[code as keyof typeof localErrors] : (code as WireErrorCode);
  const { status, wire } = wireErrors[sent];
  return { code: sent, status, message: wire };
}

/** What an error has besides its code. */
export interface ShelflistErrorOptions {
  /** The text for people: what failed, why, and how to fix it. Default: the wire message. */
  readonly message?: string | undefined;
  /** The cause. It goes to the log, never into a response. */
  readonly cause?: unknown;
  /** The pause before the same request may succeed, in seconds. Default: 5 for `unavailable`, 1 for `request_in_progress`. */
  readonly retryAfter?: number | undefined;
  /** How much of an answer that is still being computed is done, in percent. */
  readonly progress?: number | undefined;
  /** The `X-Request-Id` of the response. */
  readonly requestId?: string | undefined;
}

/** A refused argument: a `TypeError` whose `code` never changes, unlike its message. */
export class ArgumentError extends TypeError {
  readonly code = 'invalid_argument';
}

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
  /** The pause before the same request may succeed, in seconds; `undefined` if nobody knows it. */
  readonly retryAfter: number | undefined;
  /** `unavailable`: how much of an answer that is still being computed is done, in percent. Else `undefined`. */
  readonly progress: number | undefined;
  /** The id of the request, which the log of the service has, too; `undefined` unless a service has sent this error. */
  readonly requestId: string | undefined;

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass is not branded: only its own instances count. It has this method from here; the name of this class, in the class,
    // would make bundlers rename it in stack traces.
    if (!Object.hasOwn(this, Symbol.hasInstance))
      return Function.prototype[Symbol.hasInstance].call(this, value);
    if (typeof value !== 'object' || value === null) return false;
    const code: unknown = (value as Partial<ShelflistError>)[brand];
    return isErrorCode(code);
  }

  constructor(code: ErrorCode, options: ShelflistErrorOptions = {}) {
    super(
      options.message ?? wireErrorOf(code).message,
      'cause' in options ? { cause: options.cause } : undefined,
    );
    this.code = code;
    this.retryAfter = 'retryAfter' in options ? options.retryAfter : retryAfterSeconds[code];
    this.progress = options.progress;
    this.requestId = options.requestId;
  }

  /** For `Symbol.hasInstance` of another copy. */
  get [brand](): ErrorCode {
    return this.code;
  }

  /** The HTTP status of its response; `undefined` for an error that responses never have. */
  get status(): number | undefined {
    return wireRows[this.code]?.status;
  }
}

/** Whether an error is a `ShelflistError` with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is ShelflistError {
  return error instanceof ShelflistError && codes.includes(error.code);
}

/** Whether an error, or one of its causes, is that the store is damaged: a repeat fails until its operator repairs it. */
export function isOfDamage(error: unknown): boolean {
  return [...causesOf(error)].some((each) => hasCode(each, 'store_damaged'));
}

/** An error and its causes, each once: those of other programs may be cyclic. */
export function* causesOf(error: unknown): Generator<object, void, undefined> {
  const seen = new Set<unknown>();
  for (let each = error; typeof each === 'object' && each !== null && !seen.has(each);) {
    seen.add(each);
    yield each;
    each = (each as { readonly cause?: unknown }).cause;
  }
}

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
  const { progress: percent, retryAfter = 1 } = error;
  if (percent === undefined) return undefined;
  const seconds = Math.max(1, retryAfter);
  return { percent, seconds, pauseMs: 1000 * Math.min(seconds, maxPauseSeconds) };
}

/**
 * The code of a response; `undefined` if the service has no such error.
 *
 * @param named The code that the response names itself, because status and message are those of several.
 */
export function wireErrorCode(
  status: number,
  message: string,
  named: string | null = null,
): WireErrorCode | undefined {
  const codes = (Object.keys(wireErrors) as WireErrorCode[]).filter(
    (code) => wireErrors[code].status === status && wireErrors[code].wire === message,
  );
  return codes.find((code) => code === named) ?? codes[0];
}
