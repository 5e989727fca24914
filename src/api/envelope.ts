import { ShelflistError, wireErrorCode } from '../catalogue/errors.ts';

/** The body of every response. `status` is the HTTP status; `data` is `null` for every error. */
export interface Envelope {
  status: number;
  message: string;
  data: unknown;
  /** With `ERROR_DETAILS`: the code of an error, and what was wrong with the request. */
  error?: { code: string; details: string | null };
}

/** The result of `POST /books`. */
export interface Imported {
  /** The ids of the stored books, in order. */
  ids: number[];
  /** The rejected elements: `line` is a line of NDJSON or a position in an array, from 1. */
  rejected: { line: number; message: string }[];
  /** The id of the batch of these books: `POST /batch/{batch}/undo` takes the import back. */
  batch: string;
}

/** An envelope as JSON text. */
export function wrap(status: number, message: string, data: unknown): string {
  return wrapStart(status, message) + JSON.stringify(data) + wrapEnd;
}

/** The text of an envelope before its data. {@link wrapEnd} follows the data. */
export function wrapStart(status: number, message: string): string {
  return `{"status":${status},"message":${JSON.stringify(message)},"data":`;
}
export const wrapEnd = '}';

/** A response, read whole. */
export interface RawResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/**
 * The data of a successful response.
 *
 * @throws {ShelflistError} The error of the service, rebuilt from its envelope. If the text is not an envelope with this
 * HTTP status: `unreachable` if a proxy says so, else `bad_response`.
 */
export function unwrap({ status, headers, text }: RawResponse): unknown {
  const envelope = parseEnvelope(text);
  const requestId = headers.get('X-Request-Id') ?? undefined;
  if (envelope?.status !== status) throw strange(status, requestId);
  if (status < 300) return envelope.data;
  if (status >= 500 && headers.get('X-Store') === 'damaged')
    throw new ShelflistError('store_damaged', {
      message:
        'the store of the service, or a record in it, is damaged; run `shelflist doctor` on the machine of the service',
      requestId,
    });
  const code = wireErrorCode(status, envelope.message, headers.get('X-Error-Code'));
  throw new ShelflistError(code ?? 'bad_response', {
    message: code ? envelope.reason : `the service answered ${status}: ${envelope.reason}`,
    retryAfter: wholeNumberOf(headers.get('Retry-After')),
    progress: wholeNumberOf(headers.get('X-Progress')),
    requestId,
  });
}

/** The number in a header. A proxy may send anything, such as a date. */
function wholeNumberOf(header: string | null): number | undefined {
  return header !== null && /^[0-9]{1,9}$/.test(header) ? Number(header) : undefined;
}

/** The error of a response without an envelope: proxies have their own pages for some statuses. */
function strange(status: number, requestId: string | undefined): ShelflistError {
  const isGateway = status >= 502 && status <= 504;
  const reason = isGateway
    ? "a proxy got none from the service; check that the service runs, and the proxy's log"
    : status === 413
      ? 'a proxy refuses bodies of this size; raise its limit (nginx: client_max_body_size)'
      : 'a proxy, or another program, may be listening there';
  return new ShelflistError(isGateway ? 'unreachable' : 'bad_response', {
    message: `the response (HTTP ${status}) is not from shelflist: ${reason}`,
    requestId,
  });
}

function parseEnvelope(text: string): (Envelope & { readonly reason: string }) | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { status, message, data, error } = Object(value) as Record<string, unknown>;
  if (typeof status !== 'number' || typeof message !== 'string' || data === undefined) return undefined;
  const { details } = Object(error) as { readonly details?: string | null };
  return { status, message, data, reason: details ?? message };
}
