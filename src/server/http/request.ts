import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';
import { ShelflistError } from '../../catalogue/errors.ts';
import { createProxies, plainAddress, unixPeer } from '../../lib/network.ts';
import { HttpError } from './http-error.ts';
import { encodeForHeader } from './reply.ts';

/** The `Request` that a request of a fetch handler was made from. */
export const originalRequests = new WeakMap<IncomingMessage, Request>();

/** The path below the prefix of the service, empty if it is the prefix, and the query string without `?`. */
interface Target {
  readonly path: string;
  readonly query: string;
}

/** The path of a request outside the prefix. It matches no route. */
const outside = '*';

/** Parses a request target (RFC 9112, section 3.2): `/path?query`, or the same after `http://host`. */
export function parseTarget(url: string, prefix: string): Target {
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = local.indexOf('?');
  const path = end === -1 ? local : local.slice(0, end);
  const query = end === -1 ? '' : local.slice(end + 1);
  if (prefix === '') return { path, query };
  if (path === prefix) return { path: '', query };
  return { path: path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : outside, query };
}

/** Whether a request target is neither a prefix nor below it. */
export function isOutside(url: string, prefix: string): boolean {
  return parseTarget(url, prefix).path === outside && url !== outside;
}

/** Where a service is: for itself, and for its clients. */
export interface Mount {
  readonly prefix: string;
  /** The path that stands for the prefix in links; `undefined`: what was requested. */
  readonly publicPath: string | undefined;
}

/**
 * The path that the client requested, made safe for `Link` and `Location`: of this origin, in ASCII, without delimiters of links.
 * Frameworks that strip a prefix keep the original in `originalUrl`; proxies do not tell.
 */
export function readRequestedPath(
  { originalUrl, url = '' }: IncomingMessage & { originalUrl?: unknown },
  { prefix, publicPath }: Mount,
): string {
  const path =
    publicPath === undefined
      ? parseTarget(typeof originalUrl === 'string' ? originalUrl : url, '').path
      : publicPath + parseTarget(url, prefix).path;
  return encodeForHeader(path.replace(/^[\\/]+/, '/')); // Two would start a host.
}

/**
 * Checks what node:http does not. RFC 9112: the version is 1.0 or 1.1 (section 2.3); HTTP/1.1 needs one `Host`, which has no
 * space or path (3.2); every recipient must agree on where the body ends (6.1). RFC 9110: the only expectation is
 * `100-continue` (10.1.1). Two `Authorization` headers are refused, because choosing one would be a guess.
 *
 * @throws {ShelflistError} `bad_request`, `expectation_failed`.
 */
export function checkRequest(request: IncomingMessage): void {
  const { rawHeaders, httpVersion, headers } = request;
  let hosts = 0;
  let tokens = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') tokens++;
  }
  const needsHost = httpVersion === '1.1';
  const isMalformed = hosts > 1 || tokens > 1 || (needsHost ? hosts === 0 : httpVersion !== '1.0');
  if (isMalformed || !isHost(headers.host) || !isFraming(headers['transfer-encoding'], httpVersion)) {
    throw new HttpError('bad_request', { Connection: 'close' });
  }
  const { expect } = headers;
  if (expect === undefined || !needsHost || expectsContinue(request)) return;
  throw new ShelflistError('expectation_failed');
}

function isHost(host = ''): boolean {
  return !/[\s/?#@\\]/.test(host);
}

/** Refuses `identity`, empty codings, and any coding in HTTP/1.0: a proxy may have seen the body end elsewhere. */
function isFraming(codings: string | undefined, httpVersion: string): boolean {
  if (codings === undefined) return true;
  return httpVersion === '1.1' && !codings.split(',').some((coding) => /^\s*(identity\s*)?$/i.test(coding));
}

/** Whether the client waits for `100 Continue` before it sends the body. HTTP/1.0 does not have this. */
export function expectsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue' && httpVersion === '1.1';
}

/** Returns the address of the client that sent a request. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Finds the client behind trusted proxies by `X-Forwarded-For`. Anyone can send this header, so it is read from the right:
 * each entry was added by the host that the entry to its right names. Reading stops at the first untrusted host.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return connectionAddress;
  const isTrusted = createProxies(trustedProxies);
  return (request) => {
    let address = connectionAddress(request);
    const entries = String(request.headers['x-forwarded-for'] ?? '').split(','); // Node joins several lines.
    while (isTrusted(address)) {
      const forwarded = parseEntry(entries.pop());
      if (forwarded === undefined) break; // Trusted proxies send valid entries, so the client sent this one.
      address = forwarded;
    }
    return address;
  };
}

/** The address of the other end of the connection, or `unix`; empty if it is not known, because the client has gone. */
export function connectionAddress({ socket }: IncomingMessage): string {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined) return isUnix(socket) ? unixPeer : '';
  return plainAddress(remoteAddress) ?? remoteAddress;
}

/**
 * Whether a connection came over a unix socket. Its server shows that: a closed TCP connection has no address either, but must
 * not count as a trusted proxy. node:net sets `server`, for TLS as well.
 */
function isUnix({ server }: Socket & { readonly server?: Server }): boolean {
  const address = server?.address();
  return typeof address === 'string' || (address === null && server?.listening === true); // `null`: listens on a descriptor.
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:4711`. */
function parseEntry(entry = ''): string | undefined {
  const [, inBrackets, v4, other] =
    /^(?:\[([^\]]*)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}|(.*))$/s.exec(entry.trim()) ?? [];
  if (inBrackets !== undefined && !inBrackets.includes(':')) return undefined;
  return plainAddress(inBrackets ?? v4 ?? other ?? '');
}

/**
 * The id of a request: `request.id`, if the app around the service has set it (pino-http does), else its `X-Request-Id`, else a
 * new one. An id that is not safe in a header and in a log is ignored.
 */
export function readRequestId({ headers, id }: IncomingMessage & { readonly id?: unknown }): string {
  const given = (typeof id === 'number' ? String(id) : id) ?? headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._~-]{1,128}$/.test(given) ? given : randomUUID();
}

/**
 * The trace that a request belongs to, by its `traceparent` (W3C Trace Context, section 3.2): 32 hexadecimal digits; `undefined`
 * without one that is valid.
 */
export function readTraceId({ headers: { traceparent } }: IncomingMessage): string | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, trace, span, rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(traceparent) ?? [];
  // Later versions can append fields. Zeros are not ids.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  return trace === undefined || /^0+$/.test(trace) || /^0+$/.test(span ?? '') ? undefined : trace;
}
