import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseId } from '../book.ts';
import { ShelflistError } from '../errors.ts';
import { abandonedSignal } from './abandoned.ts';
import type { BodyKind, BodyReader } from './body.ts';
import type { BulkBodies } from './bulk-body.ts';
import { readConditions, type Conditions } from './conditions.ts';
import type { ClientAddress } from './client-address.ts';
import type { Element } from './elements.ts';
import type { Call } from './route.ts';
import { readAskedPath } from './target.ts';

/** What all calls of a service have in common. */
export interface CallContext {
  readonly clientAddress: ClientAddress;
  readonly bodies: BodyReader;
  readonly bulkBodies: BulkBodies;
}

/** What a handler is given of a request: each part is read when the handler asks for it. */
export class RequestCall implements Call {
  readonly query: string;
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

  get id(): number {
    return this.#id === undefined ? 0 : readId(this.#id);
  }

  get path(): string {
    return readAskedPath(this.#request);
  }

  get conditions(): Conditions {
    return readConditions(this.#request.headers);
  }

  get address(): string {
    return this.#context.clientAddress(this.#request);
  }

  get signal(): AbortSignal {
    this.#signal ??= abandonedSignal(this.#response);
    return this.#signal;
  }

  /** Whether the answer was abandoned because of {@link signal}. */
  get isAborted(): boolean {
    return this.#signal?.aborted === true;
  }

  readJson(kind: BodyKind = 'book'): Promise<unknown> {
    return this.#context.bodies.readJson(this.#request, this.#response, kind);
  }

  readElements<Result>(visit: (element: Element) => void, use: () => Promise<Result>): Promise<Result> {
    return this.#context.bulkBodies.read(this.#request, this.#response, visit, use);
  }
}

/** What is no canonical id names no book. */
function readId(text: string): number {
  const id = parseId(text);
  if (id === undefined) throw new ShelflistError('book_not_found');
  return id;
}
