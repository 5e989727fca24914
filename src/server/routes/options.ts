import type { Route } from './route.ts';

const requestHeaders =
  'Authorization, Batch, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id';
const maxAgeSeconds = '600';

/**
 * `OPTIONS` of every path: its methods.
 *
 * @param isCrossOrigin Whether it also answers the preflight requests of browsers (CORS).
 */
export function optionsRoutes(routes: readonly Route[], isCrossOrigin: boolean): Route[] {
  return [...new Set(routes.map(({ path }) => path))].map((path) => {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
    const names = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    return {
      method: 'OPTIONS',
      path,
      public: true,
      status: 204,
      message: '',
      headers: {
        Allow: `${names}, OPTIONS`,
        ...(isCrossOrigin && {
          'Access-Control-Allow-Methods': names,
          'Access-Control-Allow-Headers': requestHeaders,
          'Access-Control-Max-Age': maxAgeSeconds,
        }),
      },
      handle: () => ({ data: null }),
    };
  });
}
