import { wireErrorOf, type WireErrorCode } from '../../catalogue/errors.ts';
import { commonHeaders, corsHeaders, headerRefs, type Endpoint, type HeaderName } from './operation.ts';
import { nothing, type Schema } from '../../api/shapes.ts';
import { envelope } from './schemas.ts';

const causes: Record<WireErrorCode, string> = {
  bad_request: 'The request is malformed HTTP.',
  invalid_input: 'The body does not match its schema.',
  invalid_payload: 'The body is not a login.',
  invalid_query: 'A query parameter is unknown, repeated or malformed.',
  invalid_credentials: 'The username or the password is wrong.',
  token_required: 'The `Authorization` header is missing or empty.',
  invalid_token: 'The token was not issued by this service, or has expired.',
  forbidden: 'The user may not do this.',
  book_not_found: 'No book has this id, or no known book this ISBN.',
  not_found: 'The path does not exist.',
  batch_not_found: 'No change of this batch is kept.',
  method_not_allowed: 'The path does not support the method. `Allow` lists those it supports.',
  request_timeout: 'The request did not arrive in time.',
  request_in_progress:
    'The first request with this `Idempotency-Key` is still in flight. `Retry-After` gives the wait.',
  precondition_failed: '`If-Match` or `If-None-Match` does not hold.',
  body_too_large: 'The body exceeds the limit of the service, or the response would.',
  unsupported_encoding: 'The body is compressed.',
  expectation_failed: '`Expect` is not `100-continue`.',
  key_reused: 'The `Idempotency-Key` belongs to another request.',
  too_many_attempts: 'Too many logins have failed. `Retry-After` gives the wait.',
  too_many_requests: 'The address has sent too many requests without a token. `Retry-After` gives the wait.',
  headers_too_large: 'The headers or the path exceed the limit of the service.',
  token_not_signed: 'The token could not be signed.',
  internal:
    'The service failed. Its log has the details. With `X-Store: damaged`, the store, or a record in it, is damaged.',
  not_implemented: 'The store of this service cannot do it.',
  unavailable:
    'The store is unreachable or cannot write; too many questions are waiting for it; the source of `GET /lookup` does not answer; or, with `X-Progress`, the answer is still being computed. `Retry-After` gives the wait. With `X-Store: damaged`, the operator must repair the store.',
};

/** The errors of any request, even to an unknown path. */
const errorsOfAll = [
  'bad_request',
  'request_timeout',
  'body_too_large',
  'expectation_failed',
  'headers_too_large',
  'internal',
] as const satisfies readonly WireErrorCode[];

/** The errors of requests to unknown paths and methods, which are not operations. */
const errorsOfUnknown = ['not_found', 'method_not_allowed'] as const satisfies readonly WireErrorCode[];

/** The errors of an operation: its own, and those that follow from its endpoint. */
function errorsOf(
  { path, public: isPublic, isTokenOptional, action, operation }: Endpoint,
  { hasAuthorize }: DocumentOptions,
): WireErrorCode[] {
  return [
    ...errorsOfAll,
    ...(isPublic === true || isTokenOptional === true ? [] : (['token_required'] as const)),
    ...(isPublic === true ? [] : (['invalid_token'] as const)),
    ...(isTokenOptional === true ? (['too_many_requests'] as const) : []),
    ...(hasAuthorize && action !== undefined ? (['forbidden'] as const) : []),
    ...(path.includes('{id}') ? (['book_not_found'] as const) : []),
    ...(operation.body === undefined ? [] : (['unsupported_encoding'] as const)),
    ...(operation.errors ?? []),
  ];
}

export interface DocumentOptions {
  /** Whether `Authorization` may be `Bearer TOKEN`, too. */
  readonly acceptBearer: boolean;
  /** Whether a response can be 403. */
  readonly hasAuthorize: boolean;
  /** Whether every response has the headers of CORS. */
  readonly isCrossOrigin: boolean;
}

/** Describes the responses of endpoints. */
export class Responses {
  readonly #options: DocumentOptions;
  readonly #always: readonly HeaderName[];

  constructor(options: DocumentOptions) {
    this.#options = options;
    this.#always = options.isCrossOrigin ? [...commonHeaders, ...corsHeaders] : commonHeaders;
  }

  /** The responses of an operation by status. A status with one error refers to the named response. */
  of(endpoint: Endpoint): Schema {
    const errors = this.#errorsByStatus(endpoint).map(([status, codes]) => {
      const [only, ...more] = codes;
      return [status, only !== undefined && more.length === 0 ? { $ref: pointer(only) } : this.#error(codes)];
    });
    return Object.fromEntries([...errors, ...this.#successes(endpoint)]) as Schema;
  }

  /** The named responses: the errors of any request, and those that {@link of} refers to. */
  named(endpoints: readonly Endpoint[]): Schema {
    const alone = endpoints.flatMap((endpoint) =>
      this.#errorsByStatus(endpoint).flatMap(([, codes]) => (codes.length === 1 ? codes : [])),
    );
    const codes = new Set<WireErrorCode>([...errorsOfAll, ...errorsOfUnknown, ...alone]);
    return Object.fromEntries([...codes].map((code) => [pascalCase(code), this.#error([code])]));
  }

  #errorsByStatus(endpoint: Endpoint): [status: number, codes: WireErrorCode[]][] {
    const groups = new Map<number, WireErrorCode[]>();
    for (const code of errorsOf(endpoint, this.#options)) {
      const { status } = wireErrorOf(code);
      groups.set(status, [...(groups.get(status) ?? []), code]);
    }
    return [...groups];
  }

  #error(codes: readonly WireErrorCode[]): Schema {
    const errors = codes.map(wireErrorOf);
    const [{ status } = { status: 500 }] = errors;
    const more: HeaderName[] = [];
    if (status === 409 || status === 429 || status === 503) more.push('Retry-After');
    if (status === 503) more.push('X-Progress');
    if (status === 500 || status === 503) more.push('X-Store');
    if (status === 405) more.push('Allow');
    if (codes.includes('batch_not_found')) more.push('X-Error-Code');
    const messages = errors.map(({ message }) => message);
    return {
      description: codes.map((code) => causes[code]).join(' Or: '),
      headers: headerRefs([...this.#always, ...more]),
      content: { 'application/json': { schema: envelope(status, messages, nothing.schema) } },
    };
  }

  /** The responses by status, except those that are only envelopes of errors. */
  #successes(endpoint: Endpoint): [status: string, response: Schema][] {
    const { bodiless = {}, pages = {}, headers = [] } = endpoint.operation;
    const empty = Object.entries(bodiless).map(([status, description]): [string, Schema] => {
      const more: readonly HeaderName[] = status === '304' ? headers : ['Location'];
      return [status, { description, headers: this.#headers(endpoint, more) }];
    });
    const others = Object.entries(pages).map(([status, description]): [string, Schema] => {
      const [, codes] = this.#errorsByStatus(endpoint).find(([each]) => each === Number(status)) ?? [];
      const envelopes = codes && this.#error(codes);
      const response = {
        description: [description, envelopes?.description].filter(Boolean).join(' Or: '),
        headers: this.#headers(endpoint, /^(429|503)$/.test(status) ? ['Retry-After'] : []),
        content: { ...contentOf(endpoint), ...(envelopes?.content as Schema | undefined) },
      };
      return [status, response];
    });
    return [[String(endpoint.status), this.#success(endpoint)], ...empty, ...others];
  }

  #success(endpoint: Endpoint): Schema {
    const { status, message, operation } = endpoint;
    const { summary, links, headers = [] } = operation;
    return {
      description: message || summary,
      headers: this.#headers(endpoint, headers),
      ...(status !== 204 && { content: contentOf(endpoint) }),
      ...(links && { links }),
    };
  }

  /** The headers of a response of an endpoint that is not an envelope of an error. */
  #headers({ headers: own = {} }: Endpoint, more: readonly HeaderName[]): Schema {
    const names = Object.keys(own).filter((name) => name !== 'Content-Type') as HeaderName[];
    return headerRefs([...this.#always, ...names, ...more]);
  }
}

function contentOf({ status, message, headers: own = {}, operation }: Endpoint): Schema {
  const { 'Content-Type': ownType } = own;
  const { data, otherTypes = {}, contentTypes = ownType === undefined ? [] : [ownType] } = operation;
  if (contentTypes.length > 0)
    return Object.fromEntries(contentTypes.map((type) => [type, { schema: data }]));
  const others = Object.entries(otherTypes).map(([type, schema]) => [type, { schema }] as const);
  return {
    'application/json': { schema: envelope(status, [message], data) },
    ...Object.fromEntries(others),
  };
}

function pointer(code: WireErrorCode): string {
  return `#/components/responses/${pascalCase(code)}`;
}

function pascalCase(code: WireErrorCode): string {
  return code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
