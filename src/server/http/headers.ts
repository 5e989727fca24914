import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type Headers = Readonly<Record<string, string>>;

/** Alternating names and values, the fastest form for node:http. Each name occurs once, except `Vary`. */
export type HeaderList = readonly string[];

/** For responses that must not be cached: errors, tokens, and momentary states. */
export const noStore: Headers = { 'Cache-Control': 'no-store' };

/** For responses that only their client may cache, and must revalidate before each use. */
export const revalidated: Headers = { 'Cache-Control': 'private, no-cache' };

/** Browsers must not guess another `Content-Type`. */
export const noSniff: Headers = { 'X-Content-Type-Options': 'nosniff' };

/** Makes text of a request safe in a response header: ASCII, without delimiters of links. */
export function encodeForHeader(text: string): string {
  return text.replace(/[^\x21-\x7e]|[<>"\\]/g, (character) => encodeURIComponent(character));
}

export function listHeaders(headers: Headers): HeaderList {
  return Object.entries(headers).flat();
}

/** The `X-Request-Id` of the request if it is safe in a header and in a log, else a new one. */
export function readRequestId({ headers }: IncomingMessage): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[A-Za-z0-9._~-]{1,128}$/.test(id) ? id : randomUUID();
}
