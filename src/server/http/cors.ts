import { listHeaders, type HeaderList } from './headers.ts';

const exposedHeaders = 'ETag, Link, X-Total-Count, X-Request-Id, Retry-After';

/** The headers that let a page of this `Origin` read a response. */
export type CrossOrigin = (origin: string | undefined) => HeaderList;

/**
 * Implements the CORS protocol (Fetch standard, section 3.3) for these origins; `*` is every origin. Returns `undefined` if
 * there are none.
 */
export function createCrossOrigin(origins: readonly string[]): CrossOrigin | undefined {
  if (origins.length === 0) return undefined;
  const headersFor = (origin: string) =>
    listHeaders({
      'Access-Control-Expose-Headers': exposedHeaders,
      ...(origin !== '*' && { Vary: 'Origin' }),
      'Access-Control-Allow-Origin': origin,
    });
  if (origins.includes('*')) {
    const headers = headersFor('*');
    return () => headers;
  }
  const accepted = new Map(origins.map((origin) => [origin, headersFor(origin)]));
  // Refused origins get Vary too: a cache must not mix up their responses with those of accepted origins.
  const refused = listHeaders({ Vary: 'Origin' });
  return (origin) => accepted.get(origin ?? '') ?? refused;
}
