import { listHeaders, type HeaderList } from './headers.ts';
import { preflight } from './openapi/preflight.ts';
import type { Route } from './route.ts';

const requestHeaders = 'Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id';
const answerHeaders = 'ETag, Link, X-Total-Count, X-Request-Id, Retry-After';
/** How long a browser may remember what a path allows. */
const maxAgeSeconds = '600';

/** The headers that let a page of this `Origin` read an answer. */
export type CrossOrigin = (origin: string | undefined) => HeaderList;

/** The Fetch standard's protocol, section 3.3, for these origins (`*` is every one); `undefined` when there is none. */
export function createCrossOrigin(origins: readonly string[]): CrossOrigin | undefined {
  if (origins.length === 0) return undefined;
  const shared = { 'Access-Control-Expose-Headers': answerHeaders };
  const toAll = listHeaders({ ...shared, 'Access-Control-Allow-Origin': '*' });
  if (origins.includes('*')) return () => toAll;
  const accepted = new Map(
    origins.map((origin) => [
      origin,
      listHeaders({ ...shared, Vary: 'Origin', 'Access-Control-Allow-Origin': origin }),
    ]),
  );
  // Also to those who are not let in: a cache must not give them what others got, nor others what they got.
  const refused = listHeaders({ Vary: 'Origin' });
  return (origin) => accepted.get(origin ?? '') ?? refused;
}

/** An answer to OPTIONS for every path: what a browser asks before it sends another page's request. */
export function preflightRoutes(routes: readonly Route[]): Route[] {
  return [...new Set(routes.map(({ path }) => path))].map((path) => {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
    const names = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    return {
      method: 'OPTIONS',
      path,
      public: true,
      status: 200,
      message: 'Methods listed',
      headers: {
        Allow: `${names}, OPTIONS`,
        'Access-Control-Allow-Methods': names,
        'Access-Control-Allow-Headers': requestHeaders,
        'Access-Control-Max-Age': maxAgeSeconds,
      },
      operation: preflight(path),
      handle: () => ({ data: null }),
    };
  });
}
