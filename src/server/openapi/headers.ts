import type { Schema } from './schemas.ts';

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
});

/** What every answer has that may have it at all. */
const required = { required: true };

/** Every header that an answer may carry, besides those of HTTP itself. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request, in the log too; what never became a request has none.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._~-]{1,128}$' },
  },
  'Cache-Control': {
    ...required,
    description: 'Whether the answer may be kept.',
    schema: { type: 'string', enum: ['no-store', 'private, no-cache'] },
  },
  'X-Content-Type-Options': {
    ...required,
    description: 'The answer is what its `Content-Type` says.',
    schema: { type: 'string', const: 'nosniff' },
  },
  'Retry-After': {
    ...required,
    description: 'After how many seconds to try again.',
    schema: { type: 'integer', minimum: 1, examples: [5] },
  },
  Allow: { ...required, ...text('The methods of the path.', 'GET, HEAD, POST') },
  ETag: {
    ...required,
    description: 'What is sent in `If-Match` or `If-None-Match`: it changes with what it stands for.',
    schema: { type: 'string', pattern: '^"[A-Za-z0-9._-]+"$' },
  },
  Link: text(
    'Where the next page is, if there is one (RFC 8288).',
    '</books?limit=50&after=WyJ>; rel="next"',
  ),
  'X-Total-Count': {
    description: 'How many books there are in all; only if `count` asks for it.',
    schema: { type: 'integer', minimum: 0 },
  },
  Vary: text('The header of the request that the answer depends on.', 'Origin'),
  'Access-Control-Allow-Origin': text('The origin whose pages may read the answer.', '*'),
  'Access-Control-Expose-Headers': text('The headers that they may read.', 'X-Request-Id'),
  'Access-Control-Allow-Methods': {
    ...required,
    ...text('The methods that they may use.', 'GET, HEAD, POST'),
  },
  'Access-Control-Allow-Headers': {
    ...required,
    ...text('The headers that they may send.', 'Authorization, Content-Type'),
  },
  'Access-Control-Max-Age': {
    ...required,
    description: 'For how many seconds that may be remembered.',
    schema: { type: 'integer', minimum: 0, examples: [600] },
  },
} as const;

export type HeaderName = keyof typeof headers;

/** What every answer carries, */
export const common: readonly HeaderName[] = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'];

/** and what besides where pages of other origins are let in. */
export const crossOrigin: readonly HeaderName[] = [
  'Vary',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
];

/** Headers by their names, as a response has them. */
export function headerRefs(names: readonly HeaderName[]): Schema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
