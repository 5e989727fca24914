import type { Schema } from './schemas.ts';

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
});

/** Marks a header as always present in the responses that list it. */
const required = { required: true };

/** The headers of responses, besides those of HTTP itself. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request, as in the log. Responses to malformed HTTP have none.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._~-]{1,128}$' },
  },
  'Cache-Control': {
    ...required,
    description: 'Whether the response may be cached.',
    schema: {
      type: 'string',
      enum: ['no-store', 'private, no-cache', 'public, max-age=31536000, immutable'],
    },
  },
  'X-Content-Type-Options': {
    ...required,
    description: 'Browsers must not guess another `Content-Type`.',
    schema: { type: 'string', const: 'nosniff' },
  },
  'Content-Security-Policy': text('What the page may load.', "default-src 'none'; script-src 'self'"),
  'Referrer-Policy': {
    description: 'Requests of the page do not name it.',
    schema: { type: 'string', const: 'no-referrer' },
  },
  'Content-Encoding': {
    description: 'How the body is compressed.',
    schema: { type: 'string', enum: ['br', 'gzip'] },
  },
  Location: { ...required, ...text('The address of the page.', './catalogue/') },
  'X-Accel-Buffering': {
    ...required,
    description: 'Proxies must not buffer the response.',
    schema: { type: 'string', const: 'no' },
  },
  'Retry-After': {
    ...required,
    description: 'The seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 1, examples: [5] },
  },
  Allow: { ...required, ...text('The methods of the path.', 'GET, HEAD, POST') },
  'Idempotency-Replayed': {
    description: 'The response repeats that of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: {
    ...required,
    description:
      'The entity tag, for `If-None-Match`, and for `If-Match` if it is strong. It changes with the contents. The tag of a list is weak (`W/`).',
    schema: { type: 'string', pattern: '^(W/)?"[A-Za-z0-9._-]+"$' },
  },
  Link: text(
    'The address of the next page (RFC 8288). The last page has none.',
    '</books?limit=50&after=WyJ>; rel="next"',
  ),
  'X-Total-Count': {
    description: 'The number of matching books, if `count` is `true` and the store can count them in time.',
    schema: { type: 'integer', minimum: 0 },
  },
  Vary: text('The request headers that the response depends on.', 'Origin'),
  'Access-Control-Allow-Origin': text('The origin whose pages may read the response.', '*'),
  'Access-Control-Expose-Headers': text('The headers that they may read.', 'X-Request-Id'),
  'Access-Control-Allow-Methods': text('The methods that they may use.', 'GET, HEAD, POST'),
  'Access-Control-Allow-Headers': text(
    'The headers that they may send.',
    'Authorization, Content-Type, Idempotency-Key',
  ),
  'Access-Control-Max-Age': {
    description: 'How long browsers may cache this, in seconds.',
    schema: { type: 'integer', minimum: 0, examples: [600] },
  },
} as const;

export type HeaderName = keyof typeof headers;

/** The headers of every response. */
export const commonHeaders: readonly HeaderName[] = [
  'X-Request-Id',
  'Cache-Control',
  'X-Content-Type-Options',
];

/** The headers of every response of a service with CORS. */
export const corsHeaders: readonly HeaderName[] = [
  'Vary',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
];

/** References to headers, by name. */
export function headerRefs(names: readonly HeaderName[]): Schema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
