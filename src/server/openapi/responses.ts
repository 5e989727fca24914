import { ShelflistError, type WireErrorCode } from '../../errors.ts';
import type { Route } from '../route.ts';
import { common, crossOrigin, headerRefs, type HeaderName } from './headers.ts';
import { envelope, nothing, type Schema } from './schemas.ts';

/** When an error comes. */
const causes: Record<WireErrorCode, string> = {
  bad_request: 'The request is malformed HTTP.',
  invalid_input: 'The body cannot be read as what it should be.',
  invalid_payload: 'The body cannot be read as a login.',
  invalid_query: 'A parameter of the query is unknown or malformed.',
  invalid_credentials: 'The username or the password is wrong.',
  token_required: 'There is no `Authorization` header, or it is empty.',
  invalid_token: 'The token is no token of this service, or has expired.',
  book_not_found: 'No book has this id.',
  not_found: 'There is no such path.',
  method_not_allowed: 'The path is there, the method is not; `Allow` lists those that are.',
  request_timeout: 'The request did not arrive in time.',
  precondition_failed: 'It is not, or not any more, what `If-Match` or `If-None-Match` demands.',
  body_too_large: 'The body is longer than the service takes.',
  unsupported_encoding: 'The body is compressed.',
  expectation_failed: '`Expect` asks for something other than `100-continue`.',
  too_many_attempts: 'Too many logins have failed; `Retry-After` says how long to wait.',
  headers_too_large: 'The headers or the path are longer than the service takes.',
  token_not_signed: 'The token could not be signed.',
  internal: 'A fault of the service; the details are in its log.',
  unavailable: 'The store cannot be reached or cannot write now; `Retry-After` says when to try again.',
};

/** Errors that any request can meet, also one for a path or a method that is not there. */
const everywhere = [
  'bad_request',
  'request_timeout',
  'body_too_large',
  'expectation_failed',
  'headers_too_large',
  'internal',
] as const satisfies readonly WireErrorCode[];

/** Errors that belong to no operation: there is none for such a request. */
const nowhere = ['not_found', 'method_not_allowed'] as const satisfies readonly WireErrorCode[];

/** Every error that an operation may answer: its own, and those that follow from what it is. */
export function errorsOf({ method, path, public: isPublic, operation }: Route): WireErrorCode[] {
  return [
    ...everywhere,
    ...(isPublic === true ? [] : (['token_required', 'invalid_token'] as const)),
    ...(path.endsWith('{id}') && method !== 'OPTIONS' ? (['book_not_found'] as const) : []),
    ...(operation.body === undefined ? [] : (['unsupported_encoding'] as const)),
    ...(operation.errors ?? []),
  ];
}

/** Makes the responses of a document; `isCrossOrigin`: every answer carries the headers for that. */
export function createResponses(isCrossOrigin: boolean) {
  const always = isCrossOrigin ? [...common, ...crossOrigin] : common;

  function error(codes: readonly WireErrorCode[]): Schema {
    const answers = codes.map((code) => new ShelflistError(code));
    const [{ status } = { status: 500 }] = answers;
    const besides: HeaderName[] = [];
    if (status === 429 || status === 503) besides.push('Retry-After');
    if (status === 405) besides.push('Allow');
    return {
      description: codes.map((code) => causes[code]).join(' Or: '),
      headers: headerRefs([...always, ...besides]),
      content: {
        'application/json': {
          schema: envelope(
            status,
            answers.map(({ wireMessage }) => wireMessage),
            nothing,
          ),
        },
      },
    };
  }

  function bodiless({ operation }: Route): [status: string, response: Schema][] {
    const all = headerRefs([...always, ...(operation.headers ?? [])]);
    return Object.entries(operation.bodiless ?? {}).map(([status, description]) => [
      status,
      { description, headers: all },
    ]);
  }

  function success({ status, message, headers: own = {}, operation }: Route): Schema {
    const { 'Content-Type': contentType, ...named } = own;
    const names = [...always, ...(Object.keys(named) as HeaderName[]), ...(operation.headers ?? [])];
    const content =
      contentType === undefined
        ? { 'application/json': { schema: envelope(status, [message], operation.data) } }
        : { [contentType]: { schema: operation.data } };
    const { links } = operation;
    return {
      description: message || operation.summary,
      headers: headerRefs(names),
      content,
      ...(links && { links }),
    };
  }

  return {
    /** All responses of an operation, by status. What errors have in common with other operations has a name. */
    of(route: Route): Schema {
      const errors = byStatus(errorsOf(route)).map(([status, codes]) => {
        const [only, ...more] = codes;
        return [status, only !== undefined && more.length === 0 ? { $ref: pointer(only) } : error(codes)];
      });
      return Object.fromEntries([[route.status, success(route)], ...bodiless(route), ...errors]) as Schema;
    },
    /** The same for HEAD, which never has a body. */
    ofHead(route: Route): Schema {
      const errors = byStatus(errorsOf(route)).map(([status, codes]) => [status, error(codes)] as const);
      const all = [[route.status, success(route)], ...bodiless(route), ...errors] as const;
      return Object.fromEntries(all.map(([status, { content: _, ...head }]) => [status, head]));
    },
    /** The errors that have a name: those that any request can meet, and those that are the only one of their status. */
    named(routes: readonly Route[]): Schema {
      const alone = routes.flatMap((route) =>
        byStatus(errorsOf(route)).flatMap(([, codes]) => (codes.length === 1 ? codes : [])),
      );
      const codes = new Set<WireErrorCode>([...everywhere, ...nowhere, ...alone]);
      return Object.fromEntries([...codes].map((code) => [pascal(code), error([code])]));
    },
  };
}

function byStatus(codes: readonly WireErrorCode[]): [status: number, codes: WireErrorCode[]][] {
  const groups = new Map<number, WireErrorCode[]>();
  for (const code of codes) {
    const { status } = new ShelflistError(code);
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return [...groups];
}

function pointer(code: WireErrorCode): string {
  return `#/components/responses/${pascal(code)}`;
}

function pascal(code: WireErrorCode): string {
  return code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
