import type { Hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isBatchId } from '../../catalogue/batch.ts';
import { parseId } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { User } from '../../catalogue/user.ts';
import type { Attribution } from '../../store/contract/history.ts';
import { mediaTypeOf, type BodyKind, type BodyReader } from './body.ts';
import type { BulkBodies, Element } from './bulk-body.ts';
import { readPreconditions, type Preconditions } from './preconditions.ts';
import type { FolderUrl } from './folder-url.ts';
import { type ClientAddress, readRequestedPath, type Mount } from './request.ts';
import { disconnectSignal } from './writing.ts';

/** The parts that all calls of a service share. */
export interface CallContext {
  /** Whether there may be several users: the store is told who makes a change. */
  readonly hasUsers: boolean;
  /** Whether `Authorization` may be `Bearer TOKEN`. */
  readonly acceptBearer: boolean;
  readonly mount: Mount;
  readonly clientAddress: ClientAddress;
  readonly folderUrl: FolderUrl;
  readonly bodies: BodyReader;
  readonly bulkBodies: BulkBodies;
}

/** A request, as a handler sees it. Each part is parsed on first use. */
export class Call {
  /** The query string, without `?`. */
  readonly query: string;
  /** Whether it is known who asks: by a valid token, or by the app. */
  isIdentified = false;
  /** When its token expires, in seconds since 1970; `undefined` unless a token was verified. */
  tokenExpiry: number | undefined;
  /** Asks the app again, during a long response, whether it still allows this; `undefined`: nothing of it is asked. */
  isStillAllowed: (() => Promise<boolean>) | undefined;
  /** The user, if the token or the app names one. */
  user: User | undefined;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #id: string | undefined;
  readonly #context: CallContext;
  #signal: AbortSignal | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    id: string | undefined,
    query: string,
    context: CallContext,
  ) {
    this.#request = request;
    this.#response = response;
    this.#id = id;
    this.query = query;
    this.#context = context;
  }

  /**
   * The `{id}` of the path.
   *
   * @throws {ShelflistError} `book_not_found`: it is not a canonical id.
   */
  get id(): number {
    if (this.#id === undefined) throw new Error('the route has no {id}');
    const id = parseId(this.#id);
    if (id === undefined) throw new ShelflistError('book_not_found');
    return id;
  }

  /** The `{batch}` or `{asset}` of the path, as it was sent. */
  get pathParameter(): string {
    return this.#id ?? '';
  }

  get accept(): string | undefined {
    return this.#request.headers.accept;
  }

  get acceptEncoding(): string | undefined {
    return this.#request.headers['accept-encoding']?.toString();
  }

  get acceptLanguage(): string {
    return this.#request.headers['accept-language'] ?? '';
  }

  /**
   * Where a write comes from: the batch of the header `Batch`, and the user.
   *
   * @throws {ShelflistError} `invalid_input`: it is not the id of a batch.
   */
  get origin(): Attribution {
    const { batch } = this.#request.headers;
    if (batch === undefined || isBatchId(batch))
      return { batch, user: this.#context.hasUsers ? this.user?.name : undefined };
    throw new ShelflistError('invalid_input', {
      message: 'the header Batch is not 8 to 64 of A-Z, a-z, 0-9, _ and -',
    });
  }

  /**
   * The header `Idempotency-Key`, without quotes.
   *
   * @throws {ShelflistError} `invalid_query`: it is not 1 to 64 visible ASCII characters.
   */
  get idempotencyKey(): string | undefined {
    const value = this.#request.headers['idempotency-key']?.toString();
    if (value === undefined) return undefined;
    const key = value.replace(/^"(.*)"$/, '$1');
    if (/^[!-~]{1,64}$/.test(key)) return key;
    throw new ShelflistError('invalid_query', {
      message: 'the header Idempotency-Key is not 1 to 64 visible ASCII characters',
    });
  }

  /** The media type of the body, without parameters; JSON if there is none. */
  get mediaType(): string {
    return mediaTypeOf(this.#request) || 'application/json';
  }

  /** The path that the client requested, including the path that the service is mounted under. */
  get path(): string {
    return readRequestedPath(this.#request, this.#context.mount);
  }

  /** The absolute address of the folder of {@link path}, for this client alone; `undefined`: the request names no host. */
  get folderUrl(): string | undefined {
    return this.#context.folderUrl(this.#request);
  }

  get lastEventId(): string | undefined {
    return this.#request.headers['last-event-id']?.toString() || undefined;
  }

  get preconditions(): Preconditions {
    return readPreconditions(this.#request.headers);
  }

  /** The token; empty if the request has none. */
  get token(): string {
    return readToken(this.#request.headers.authorization ?? '', this.#context.acceptBearer);
  }

  /** The address of the client; behind trusted proxies, the one they report. */
  get address(): string {
    return this.#context.clientAddress(this.#request);
  }

  /** Aborted if the client disconnects before it has the whole response. Created on first use. */
  get signal(): AbortSignal {
    this.#signal ??= disconnectSignal(this.#response);
    return this.#signal;
  }

  /** Whether {@link signal} was used and is aborted. */
  get isAborted(): boolean {
    return this.#signal?.aborted === true;
  }

  /**
   * Reads the body as JSON. Returns `undefined` for a body that is not JSON, which every parser of values rejects with an
   * error of its own.
   *
   * @param kind `login` has a lower limit, because it needs no token.
   * @param hash Receives the bytes of the body.
   * @throws {ShelflistError} `body_too_large`, `unsupported_encoding`, `request_timeout`, `unavailable`.
   */
  readJson(kind: BodyKind = 'book', hash?: Hash): Promise<unknown> {
    return this.#context.bodies.readJson(this.#request, this.#response, kind, { hash });
  }

  /** {@link readJson} for a body that may be missing: it is then an empty object. */
  readOptionalJson(): Promise<unknown> {
    return this.#context.bodies.readJson(this.#request, this.#response, 'book', { whenEmpty: {} });
  }

  /**
   * Visits the elements of a bulk body: NDJSON if its `Content-Type` says so, else a JSON array. Then runs `use`.
   *
   * @param hash Receives the bytes of the body.
   * @throws {ShelflistError} `invalid_input`, and as {@link readJson} does.
   */
  readElements<Result>(
    visit: (element: Element) => void,
    use: () => Promise<Result>,
    hash?: Hash,
  ): Promise<Result> {
    return this.#context.bulkBodies.read(this.#request, this.#response, visit, use, hash);
  }
}

/** The token in a value of `Authorization`. */
export function readToken(authorization: string, acceptBearer: boolean): string {
  return acceptBearer ? authorization.replace(/^bearer +/i, '') : authorization;
}

/** Whether a value of `Authorization` has another scheme than that of tokens: `Basic …`. A bare token has no spaces. */
export function hasForeignScheme(authorization: string): boolean {
  return /^(?!bearer )[\w!#$%&'*+.^`|~-]+ /i.test(authorization);
}
