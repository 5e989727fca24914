import type { WireErrorCode } from '../../catalogue/errors.ts';
import type { Schema } from '../../api/shapes.ts';

/** The groups of operations in the document. */
export const tags = {
  tokens: 'Exchange a username and password for a token. It lasts 15 minutes, and can be renewed.',
  books: 'Create, list, read, update and delete books.',
  history: 'Show earlier states, bring books back, and undo batches of changes.',
  page: 'The web page, if the service has it.',
  operation: 'For operators of the service.',
} as const;

/** An OpenAPI parameter object. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/** An endpoint, as far as the document describes it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** The second segment may be `{id}`, the id of a book, or `{batch}` or `{asset}`. */
  readonly path: string;
  /** Whether requests need no token. Default false. */
  readonly public?: boolean;
  /** Whether requests need no token, but one that is sent must be valid. Default false. */
  readonly isTokenOptional?: boolean;
  /** The action that `authorize` checks. */
  readonly action?: string;
  /** The status and the envelope's `message` of a success. */
  readonly status: number;
  readonly message: string;
  /** Further headers of a success. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly operation: Operation;
}

/** The documentation of an endpoint. `responses.ts` adds the errors that every operation has. */
export interface Operation {
  /** The `operationId`, which code generators use as the name of a function. */
  readonly id: string;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description: string;
  /** Parameters in the query and the headers. `{id}` and `{batch}` in the path are added. */
  readonly parameters?: readonly Parameter[];
  /** The schema of the request body by `Content-Type`. Default: no body. */
  readonly body?: Readonly<Record<string, Schema>>;
  /** Whether the request may be sent without its body. Default false. */
  readonly isBodyOptional?: boolean;
  /** The schema of `data`; of the whole response if the headers of the endpoint contain a `Content-Type`. */
  readonly data: Schema;
  /** The schemas of a success that `Accept` can choose instead of the envelope, by `Content-Type`. */
  readonly otherTypes?: Readonly<Record<string, Schema>>;
  /** The types of a body outside the envelope, if the headers of the endpoint contain none. */
  readonly contentTypes?: readonly string[];
  /** Headers of a success besides those of the endpoint. */
  readonly headers?: readonly HeaderName[];
  /** OpenAPI link objects by name: operations that accept values of this response. */
  readonly links?: Readonly<Record<string, Schema>>;
  readonly errors?: readonly WireErrorCode[];
  /** Responses with other statuses that have a body like a success: their descriptions. */
  readonly pages?: Readonly<Record<number, string>>;
  /** Responses without a body: their descriptions by status. */
  readonly bodiless?: Readonly<Record<number, string>>;
}

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
  'Server-Timing': text(
    'How long the service took, in milliseconds, in responses to requests with a `traceparent`.',
    'total;dur=1.2',
  ),
  'Cache-Control': {
    ...required,
    description: 'Whether the response may be cached.',
    schema: {
      type: 'string',
      enum: [
        'no-store',
        'no-store, no-transform',
        'private, no-cache',
        'public, max-age=31536000, immutable',
      ],
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
  'Content-Disposition': text('The name for the file.', 'attachment; filename="shelflist-2026-11-22.backup"'),
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
  'X-Progress': {
    description: 'The percentage of the answer that is computed. Any other 503 has none.',
    schema: { type: 'integer', minimum: 0, maximum: 99 },
  },
  'X-Store': {
    description: 'The store is damaged, or a record in it: a repeat fails, too.',
    schema: { type: 'string', const: 'damaged' },
  },
  'X-Error-Code': {
    ...required,
    description: 'The code of the error: another one has the same status and message.',
    schema: { type: 'string', const: 'batch_not_found' },
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
    'The address of the next page (RFC 8288), relative to that of the request. The last page has none.',
    '<books?limit=50&after=WyJ>; rel="next"',
  ),
  'X-Total-Count': {
    description: 'The number of matching books, if `count` is `true` and the store can count them in time.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Match': {
    description:
      '`parts`: some word of the query begins no word of any book; the books found have words that contain it. Otherwise missing.',
    schema: { type: 'string', const: 'parts' },
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

export const commonHeaders: readonly HeaderName[] = [
  'X-Request-Id',
  'Server-Timing',
  'Cache-Control',
  'X-Content-Type-Options',
];

export const corsHeaders: readonly HeaderName[] = [
  'Vary',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
];

export function headerRefs(names: readonly HeaderName[]): Schema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
