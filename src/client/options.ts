import type { Exchange, Fetch, FetchInit } from './wire.ts';

/** Where the service is, and how the client behaves. */
export interface ClientOptions {
  /** The address of the service, including the path it is mounted under. Default `http://127.0.0.1:8080`. */
  url?: string | undefined;
  /**
   * A token of an earlier login; or a function that returns the token of each request. If the service refuses its token, the
   * function is called once more, and a request with another token is sent again. The client renews no token of a function.
   */
  token?: string | undefined | (() => string | undefined | Promise<string | undefined>);
  /**
   * The maximum time of a call, in milliseconds, from its first request to the end of its last response; of a create, that of
   * each attempt. In `books` and `watch`, it limits the wait for the start of the response; in `books`, also for each piece of
   * it. Default 30,000.
   */
  timeoutMs?: number | undefined;
  /** Sends the requests. Default: the global `fetch`, looked up with each request. */
  fetch?: Fetch | undefined;
  /** More headers of each request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Whether requests to other origins have cookies, as in `fetch`. The service itself uses none. */
  credentials?: FetchInit['credentials'] | undefined;
  /** Ends every call of this client. */
  signal?: AbortSignal | undefined;
  /**
   * Called when the service refuses the token of a request. The request is then sent once more, with the token that this
   * returns. Requests with the same token share one call. Default: the request fails.
   */
  onUnauthorized?: (() => Promise<string>) | undefined;
  /** Called with each renewed token and the one that it replaces, to store it. Requests wait for it. */
  onRenewed?: ((token: string, previous: string) => void | Promise<void>) | undefined;
}

/** The options of every call. */
export interface CallOptions {
  /** Ends the call, which rejects with the reason of the signal. The service may have done it nevertheless. */
  signal?: AbortSignal | undefined;
}

/** The condition of a write, and its batch. */
export interface WriteCondition extends CallOptions {
  /** A tag of the book: the write happens only if the book still has the contents of that tag. */
  ifMatch?: string | undefined;
  /**
   * The batch that the change belongs to, an id of your choice: 8 to 64 of `A-Z a-z 0-9 _ -`. {@link Client.undo} takes back
   * all changes of a batch.
   */
  batch?: string | undefined;
}

/** The options of a create. */
export interface CreateOptions extends Omit<WriteCondition, 'ifMatch'> {
  /**
   * Names the create: for 24 hours, a repeat of the same one stores nothing, and returns what the first one did. Choose one to
   * repeat a create in another process: 1 to 64 visible ASCII characters. Default: a random one for each call.
   */
  idempotencyKey?: string | undefined;
}

/** The options of a revert. */
export interface RevertOptions extends WriteCondition {
  /** The `version` of an earlier state. Default: the newest one that is kept. */
  version?: string | undefined;
  /** `*`: only if the book is still deleted. */
  ifNoneMatch?: '*' | undefined;
}

/** The headers and the signal of a write. */
export function writeOf({
  ifMatch,
  ifNoneMatch,
  batch,
  idempotencyKey,
  signal,
}: RevertOptions & CreateOptions = {}): Pick<Exchange, 'headers' | 'signal'> {
  return {
    headers: {
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
      ...(batch !== undefined && { Batch: batch }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    signal,
  };
}
