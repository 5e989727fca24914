import type { IncomingMessage } from 'node:http';
import { ShelflistError } from '../errors.ts';

/** The path below the service's own prefix, and the query string without `?`. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

/** A request's target (RFC 9112, section 3.2): `/path?query`, or the same behind `http://host`. */
export function parseTarget(url: string, prefix: string): Target {
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = local.indexOf('?');
  const path = mark === -1 ? local : local.slice(0, mark);
  const query = mark === -1 ? '' : local.slice(mark + 1);
  if (prefix === '') return { path, query };
  // Outside the prefix there is nothing of ours: an empty path matches no route.
  return { path: path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : '', query };
}

/**
 * The path that the client has asked for, as it may stand in a link: of this origin, in ASCII, without what ends a
 * link. A framework that has cut off a prefix keeps the whole in `originalUrl`.
 */
export function readAskedPath(request: IncomingMessage & { originalUrl?: unknown }): string {
  const { originalUrl, url = '' } = request;
  const { path } = parseTarget(typeof originalUrl === 'string' ? originalUrl : url, '');
  return path
    .replace(/^[\\/]+/, '/') // Two would begin a host.
    .replace(/[^\x21-\x7e]|[<>"\\]/g, (character) => encodeURIComponent(character));
}

/**
 * What node:http leaves to us of RFC 9112: the version is 1.0 or 1.1 (2.3); one of HTTP/1.1 names its host, none
 * names two, and a host has no space or path (3.2); where its body ends, all must read alike (6.1). Two tokens are none:
 * which of them counted would be a guess. And of RFC 9110, section 10.1.1: 100-continue is the one expectation there is.
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
  const isFaulty = hosts > 1 || tokens > 1 || (needsHost ? hosts === 0 : httpVersion !== '1.0');
  if (isFaulty || !isHost(headers.host) || !isFraming(headers['transfer-encoding'], httpVersion)) {
    throw new ShelflistError('bad_request', { headers: { Connection: 'close' } });
  }
  const { expect } = headers;
  if (expect === undefined || !needsHost || expectsContinue(request)) return;
  throw new ShelflistError('expectation_failed');
}

function isHost(host = ''): boolean {
  return !/[\s/?#@\\]/.test(host);
}

/** `identity` is no coding any more, an empty one never was, and HTTP/1.0 has none: who passed them on may have seen another end. */
function isFraming(codings: string | undefined, httpVersion: string): boolean {
  if (codings === undefined) return true;
  return httpVersion === '1.1' && !codings.split(',').some((coding) => /^\s*(identity\s*)?$/i.test(coding));
}

/** Whether a client waits for `100 Continue` before it sends the body; one of HTTP/1.0 cannot. */
export function expectsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue' && httpVersion === '1.1';
}
