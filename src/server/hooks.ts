import type { WatchEvent } from '../catalogue/changes.ts';
import type { Logger } from '../lib/logger.ts';
import type { ChangeEvents } from '../store/contract/events.ts';
import type { CompleteStore } from '../store/contract/store.ts';
import { EventPoller } from './live/event-poller.ts';
import type { User } from '../catalogue/user.ts';

/** A request, as `onRequest` receives it: frozen, without headers, query, token and body. */
export interface RequestInfo {
  /** The `X-Request-Id` of the response, and of its lines in the log. */
  readonly requestId: string;
  /** `GET`, for example, as it was sent. */
  readonly method: string;
  /** The path without its query, as the service received it. */
  readonly path: string;
  /** The address of the client; behind trusted proxies, the one they report. */
  readonly address: string;
}

/** A response, as `onResponse` receives it: frozen. It is sent, or, if the client reads slowly, handed to the connection. */
export interface ResponseInfo<Claims extends object = object> extends RequestInfo {
  /** The path of the route, such as `/book/{id}`; `undefined` for a path or method that the service does not have. */
  readonly route: string | undefined;
  /** The HTTP status; `undefined` if the client disconnected before the response. */
  readonly status: number | undefined;
  /** The time since the request arrived, in milliseconds. */
  readonly durationMs: number;
  /** The user, if the app or a valid token names one. */
  readonly user: User<Claims> | undefined;
}

/**
 * Callbacks of the embedder. Their results and errors do not affect the service.
 *
 * @typeParam Claims What the app says of its users.
 */
export interface Hooks<Claims extends object = object> {
  /**
   * Called with each change of a book, by any process or program that uses the store, in order, within about 100 ms;
   * `{ position, reset: true }` says that changes are missing.
   */
  onChange?: ((event: WatchEvent) => unknown) | undefined;
  /** Called when a request has arrived, before anything is checked. */
  onRequest?: ((info: RequestInfo) => unknown) | undefined;
  /** Called when a response has ended; that of an event stream ends with the stream. */
  onResponse?: ((info: ResponseInfo<Claims>) => unknown) | undefined;
}

export type GuardedHooks = ReturnType<typeof guardHooks>;

/** Wraps hooks so that none throws, and freezes their arguments. */
export function guardHooks({ onChange, onRequest, onResponse }: Hooks, logger: Logger) {
  const guard = <Info extends object>(name: keyof Hooks, hook: ((info: Info) => unknown) | undefined) => {
    if (hook === undefined) return undefined;
    const fail = (error: unknown) => {
      try {
        logger.error(
          { hook: name, cause: error instanceof Error ? error.stack : String(error) },
          'a hook failed',
        );
      } catch {
        // A failing logger of an embedder must not affect the service.
      }
    };
    return (info: Info) => {
      try {
        Promise.resolve(hook(Object.freeze(info))).catch(fail);
      } catch (error) {
        fail(error);
      }
    };
  };
  return {
    onChange: guard('onChange', onChange),
    onRequest: guard('onRequest', onRequest),
    onResponse: guard('onResponse', onResponse),
  };
}

/**
 * Announces every later change of a store to a function that does not throw. Unlike the feed, whose readers may be slow or
 * hostile, it has no limits.
 *
 * @returns A function that ends it. The changes acknowledged before that call are announced first.
 */
export async function announceChanges(
  store: CompleteStore,
  announce: (event: WatchEvent) => void,
): Promise<() => Promise<void>> {
  const announceAll = ({ events, position }: ChangeEvents) => {
    for (const event of events ?? [{ position, reset: true as const }]) announce({ ...event });
  };
  const poller = new EventPoller(store, announceAll, { keepsAlive: false });
  await poller.refresh().catch(() => undefined);
  poller.start();
  return async () => {
    poller.stop();
    await poller.refresh().catch(() => undefined);
  };
}
