import type { IncomingMessage, ServerResponse } from 'node:http';
import { createTokens } from '../auth/tokens.ts';
import { ShelflistError } from '../errors.ts';
import { within } from '../store/deadline.ts';
import { openStore } from '../store/open.ts';
import { createAuthentication } from './authentication.ts';
import { discardRest } from './body.ts';
import { RequestCall } from './call.ts';
import type { CheckedConfig } from './config.ts';
import { createCrossOrigin } from './cors.ts';
import { notSniffed, notStored, readRequestId, type Headers } from './headers.ts';
import { sendError, sendReply } from './reply.ts';
import type { Route } from './route.ts';
import { allRoutes } from './routes/all.ts';
import { checkRequest, expectsContinue, parseTarget } from './target.ts';
import { logFault } from './fault.ts';
import type { Logger } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createRequestLog } from './request-log.ts';
import { createRouter } from './router.ts';

/** The service itself: from a parsed request to its answer. */
export interface Service {
  /** Answers one request; never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** From now on an answer asks its client to close the connection, if it is the last one there. */
  drain(isLast: (response: ServerResponse) => boolean): void;
  /**
   * Waits for the answers under way, but no longer than so many milliseconds, then closes the store, unless it
   * was handed in.
   */
  close(patienceMs: number): Promise<void>;
}

/**
 * @param counter Where answers are counted, if they are to be.
 * @throws {ShelflistError} `store_unusable`.
 */
export async function openService(
  config: CheckedConfig,
  counter: Metrics = createMetrics(),
): Promise<Service> {
  const { logger, secretToken, secretTokenPrevious } = config;
  warnOfShort(logger, 'the secret that signs tokens', secretToken);
  warnOfShort(logger, 'the previous secret', secretTokenPrevious);
  // Both load their drivers: one reads files while the other compiles.
  const [tokens, store] = await Promise.all([
    createTokens(secretToken, { previousSecret: secretTokenPrevious }),
    config.store ?? openStore(config.databaseUrl),
  ]);
  const metrics = config.metrics ? counter : undefined;
  const crossOrigin = createCrossOrigin(config.corsOrigins);
  const route = createRouter(allRoutes(config, { store, tokens, metrics }));
  const logRequest = createRequestLog(logger);
  const authenticate = createAuthentication(tokens, config.acceptBearer);
  const underWay = new Set<Promise<void>>();
  let isLast: ((response: ServerResponse) => boolean) | undefined;
  const closing = (response: ServerResponse) =>
    isLast?.(response) === true ? { Connection: 'close' } : undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begun = performance.now();
    const requestId = readRequestId(request);
    const common = { 'X-Request-Id': requestId, ...notSniffed, ...crossOrigin?.(request.headers.origin) };
    let matched: Route | undefined;
    try {
      checkRequest(request);
      const { path, query } = parseTarget(request.url ?? '', config.prefix);
      const match = route(request.method ?? '', path);
      matched = match.route;
      if (match.route.public !== true) await authenticate(request.headers.authorization);
      const reply = await match.route.handle(new RequestCall(request, response, match.id, query, config));
      await sendReply(response, match.route, reply, { ...common, ...closing(response) });
    } catch (cause) {
      const error = cause instanceof ShelflistError ? cause : new ShelflistError('internal', { cause });
      fail(request, response, error, common);
      logFault(logger, error, request, requestId);
    }
    if (!request.complete) discardRest(request);
    logRequest?.(request, response, requestId, begun);
    if (response.headersSent) {
      // A method is counted by its name only where the table of routes has it: strangers make no labels.
      const method = matched === undefined ? 'none' : (request.method ?? 'none');
      metrics?.count(
        method,
        matched?.path ?? 'none',
        response.statusCode,
        (performance.now() - begun) / 1000,
      );
    }
  }

  function fail(
    request: IncomingMessage,
    response: ServerResponse,
    error: ShelflistError,
    common: Headers,
  ): void {
    if (response.headersSent) response.destroy();
    else if (!response.destroyed)
      sendError(response, error, {
        ...common,
        ...notStored,
        ...closeUnread(request),
        ...closing(response),
      });
  }

  return {
    handle(request, response) {
      const answered: Promise<void> = answer(request, response)
        .catch(() => {
          response.destroy(); // In a server that is not ours, somebody else may have answered already.
        })
        .finally(() => underWay.delete(answered));
      underWay.add(answered);
    },
    drain(isLastOfItsConnection) {
      isLast = isLastOfItsConnection;
    },
    async close(patienceMs) {
      await within(patienceMs, Promise.all(underWay)).catch(() => undefined);
      if (config.store === undefined) await store.close();
    },
  };
}

function warnOfShort(logger: Logger, which: string, secret: string | undefined): void {
  if (secret === undefined || Buffer.byteLength(secret) >= 32) return;
  logger.warn(
    {},
    `${which} has less than 32 bytes (RFC 7518, section 3.2); \`shelflist init\` makes a good one`,
  );
}

/** A client that was not told to go on with its body may send it or not: only a new connection is clear. */
function closeUnread(request: IncomingMessage): Headers | undefined {
  return !request.complete && expectsContinue(request) ? { Connection: 'close' } : undefined;
}
