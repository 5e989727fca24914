import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type Headers = Readonly<Record<string, string>>;

/** Names and values in turn: how node:http takes headers at the least cost. Each name once. */
export type HeaderList = readonly string[];

/** What is never to be kept: errors, tokens, and what is true for this moment only. */
export const notStored: Headers = { 'Cache-Control': 'no-store' };

/** A book may be kept by the client that it was sent to, which asks again before each use. */
export const askedAgain: Headers = { 'Cache-Control': 'private, no-cache' };

/** A browser takes an answer for what its `Content-Type` says, and for nothing else. */
export const notSniffed: Headers = { 'X-Content-Type-Options': 'nosniff' };

export function listHeaders(headers: Headers): HeaderList {
  return Object.entries(headers).flat();
}

/** The request's own `X-Request-Id`, if it is safe to repeat in a header and in a log; else a new one. */
export function readRequestId({ headers }: IncomingMessage): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[A-Za-z0-9._~-]{1,128}$/.test(id) ? id : randomUUID();
}
