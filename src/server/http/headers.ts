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

const exposedHeaders = 'ETag, Link, X-Total-Count, X-Request-Id, Retry-After, Idempotency-Replayed';

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
