import type { IncomingMessage } from 'node:http';
import { createProxies, isPathPrefix } from '../../lib/network.ts';
import { encodeForHeader } from './reply.ts';
import { connectionAddress, originalRequests, readRequestedPath, type Mount } from './request.ts';

/**
 * Returns the absolute address of the folder that a request is for, as its client sees it, with a slash at its end:
 * `https://books.example/catalogue/`. `undefined`: the request names no host.
 */
export type FolderUrl = (request: IncomingMessage) => string | undefined;

/**
 * Finds the folder by `Host` and the connection. `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-Prefix` count only if a trusted
 * proxy sends them, because anybody can. What contains this address is for the client of this request alone: do not cache it for others.
 */
export function createFolderUrl(trustedProxies: readonly string[], mount: Mount): FolderUrl {
  const isTrusted = createProxies(trustedProxies);
  return (request) => {
    const { headers } = request;
    const isForwarded = trustedProxies.length > 0 && isTrusted(connectionAddress(request));
    const forwarded = (name: 'proto' | 'host' | 'prefix') =>
      isForwarded ? lastOf(headers[`x-forwarded-${name}`]) : undefined;
    const scheme = (forwarded('proto') ?? schemeOf(request)).toLowerCase();
    const origin = `${scheme}://${forwarded('host') ?? headers.host ?? ''}`;
    if (!/^https?:\/\/[^/?#\s@\\]+$/.test(origin) || !URL.canParse(origin)) return undefined;
    const prefix = mount.publicPath === undefined ? (forwarded('prefix') ?? '').replace(/\/$/, '') : '';
    const path = (isPathPrefix(prefix) ? encodeForHeader(prefix) : '') + readRequestedPath(request, mount);
    return new URL(path.slice(0, path.lastIndexOf('/') + 1), origin).href;
  };
}

/** The entry that the last proxy has added. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return (
    String(header ?? '')
      .split(',')
      .at(-1)
      ?.trim() || undefined
  );
}

function schemeOf(request: IncomingMessage): string {
  const original = originalRequests.get(request);
  if (original !== undefined) return new URL(original.url).protocol.slice(0, -1);
  return 'encrypted' in request.socket ? 'https' : 'http';
}
