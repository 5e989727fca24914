import type { Parameter } from '../openapi/operation.ts';
import { nothing } from '../openapi/schemas.ts';
import type { Route } from './route.ts';

const requestHeaders =
  'Authorization, Batch, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id';
const maxAgeSeconds = '600';

/** Any segment: a page of another origin must see the 404 of its own request, not of the preflight. */
const anySegment = (name: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description: `The id of a ${name === 'id' ? 'book' : name}, or any other text.`,
  schema: { type: 'string', minLength: 1 },
});

/**
 * `OPTIONS` of every path: its methods.
 *
 * @param isCrossOrigin Whether it also answers the preflight requests of browsers (CORS).
 */
export function optionsRoutes(routes: readonly Route[], isCrossOrigin: boolean): Route[] {
  return [...new Set(routes.map(({ path }) => path))].map((path) => {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
    const names = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    const inPath = Array.from(path.matchAll(/\{([a-z]+)\}/g), ([, name = '']) => name);
    const words = path.match(/[a-z]+/g) ?? [];
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
      operation: {
        id: `options${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`,
        tag: 'options',
        summary: `The methods of ${path}`,
        description: 'Browsers send this request themselves, for pages of other origins.',
        ...(inPath.length > 0 && { parameters: inPath.map(anySegment) }),
        data: nothing,
      },
      handle: () => ({ data: null }),
    };
  });
}
