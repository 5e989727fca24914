import { ShelflistError, wireErrorCode } from './errors.ts';

/** The one shape of every answer: `status` is the HTTP status again, `data` is `null` for every error. */
export interface Envelope {
  status: number;
  message: string;
  data: unknown;
}

/**
 * The most that the limit of a request's body may be: a title and an author, each set by a request of its own,
 * must fit into one of MongoDB's records, which have at most 16 MiB.
 */
export const maxBodyLimitBytes = 7 * 1024 * 1024;

/** The most that the limit of a body with many books may be: all of them are held until the last is there. */
export const maxBulkLimitBytes = 64 * 1024 * 1024;

/** The longest that history can be kept, in days: a century. */
export const maxHistoryDays = 36_500;

/** An envelope as JSON text. */
export function wrap(status: number, message: string, data: unknown): string {
  return wrapStart(status, message) + JSON.stringify(data) + wrapEnd;
}

/** The text of an envelope up to its data, and after it. */
export function wrapStart(status: number, message: string): string {
  return `{"status":${status},"message":${JSON.stringify(message)},"data":`;
}
export const wrapEnd = '}';

/**
 * The data of a successful answer.
 *
 * @throws {ShelflistError} The service's own error, rebuilt from its envelope; or `bad_response` when the
 * text is not an envelope, or not the one that belongs to this HTTP status.
 */
export function unwrap(httpStatus: number, text: string, retryAfter?: string): unknown {
  const envelope = parseEnvelope(text);
  if (envelope?.status !== httpStatus) {
    throw new ShelflistError('bad_response', {
      message: `the answer (HTTP ${httpStatus}) is not a shelflist envelope: another program may be listening there`,
    });
  }
  if (httpStatus < 300) return envelope.data;
  const code = wireErrorCode(envelope.status, envelope.message);
  throw new ShelflistError(code ?? 'bad_response', {
    message: code ? envelope.message : `the server answered ${httpStatus}: ${envelope.message}`,
    headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
  });
}

function parseEnvelope(text: string): Envelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { status, message, data } = value as Record<string, unknown>;
  if (typeof status !== 'number' || typeof message !== 'string' || data === undefined) return undefined;
  return { status, message, data };
}
