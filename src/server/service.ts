import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createAttempts, type Attempts } from '../auth/attempts.ts';
import { createTokens } from '../auth/tokens.ts';
import { ShelflistError } from '../errors.ts';
import { within } from '../store/deadline.ts';
import { openStore } from '../store/drivers.ts';
import { createAuthentication } from './authentication.ts';
import { BodyReader, discardRest } from './body.ts';
import { BulkBodies } from './bulk-body.ts';
import { RequestCall, type CallContext } from './call.ts';
import { createClientAddress } from './client-address.ts';
import type { CheckedConfig } from './config.ts';
import { createCrossOrigin } from './cors.ts';
import { readRequestId, type HeaderList } from './headers.ts';
import { prepareRoute, sendError, sendReply } from './reply.ts';
import type { Route } from './route.ts';
import { allRoutes } from './routes/all.ts';
import { checkRequest, expectsContinue, parseTarget } from './target.ts';
import { logFault } from './fault.ts';
import type { Logger } from '../lib/logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createRequestLog } from './request-log.ts';
import { createRouter } from './router.ts';
import { UnderWay } from './under-way.ts';

const closed = ['Connection', 'close'] as const;

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

/** What several processes that are one service have in common. */
export interface Shared {
  /** Where answers are counted, if they are to be. */
  metrics?: Metrics;
  /** Where failed logins are. */
  attempts?: Attempts;
}

/**
 * @throws {ShelflistError} `store_unusable`.
 */
export async function openService(
  config: CheckedConfig,
  { metrics: counter = createMetrics(), attempts = createAttempts() }: Shared = {},
): Promise<Service> {
  const { logger, secretToken, secretTokenPrevious } = config;
  warnOfShort(logger, 'the secret that signs tokens', secretToken);
  warnOfShort(logger, 'the previous secret', secretTokenPrevious);
  // Both load their drivers: one reads files while the other compiles.
  const [tokens, store] = await Promise.all([
    createTokens(secretToken, { previousSecret: secretTokenPrevious }),
    config.store ?? openStore(config.databaseUrl, config),
  ]);
  const metrics = config.metrics ? counter : undefined;
  const crossOrigin = createCrossOrigin(config.corsOrigins);
  const route = createRouter(allRoutes(config, { store, tokens, attempts, metrics }).map(prepareRoute));
  const context: CallContext = {
    clientAddress: createClientAddress(config.trustedProxies),
    bodies: new BodyReader(config.bodyLimitBytes),
    bulkBodies: new BulkBodies(config.bulkLimitBytes, config.bodyLimitBytes),
  };
  const logRequest = createRequestLog(logger);
  const authenticate = createAuthentication(tokens, config.acceptBearer);
  const underWay = new UnderWay();
  /** Connections that were told that they are closed: what follows on them may be no request, or somebody else's. */
  const over = new WeakSet<Socket>();
  let isLast: ((response: ServerResponse) => boolean) | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begun = performance.now();
    const requestId = readRequestId(request);
    const headers = ['X-Request-Id', requestId];
    if (crossOrigin !== undefined) headers.push(...crossOrigin(request.headers.origin));
    let matched: Route | undefined;
    let call: RequestCall | undefined;
    try {
      checkRequest(request);
      const { path, query } = parseTarget(request.url ?? '', config.prefix);
      const match = route(request.method ?? '', path);
      matched = match.route;
      if (match.route.public !== true) {
        const verifying = authenticate(request.headers.authorization);
        if (verifying !== undefined) await verifying;
      }
      call = new RequestCall(request, response, match.id, query, context);
      const reply = await match.route.handle(call);
      const own = isLast?.(response) === true ? [...headers, ...closed] : headers;
      const sending = sendReply(response, match.route, reply, own);
      if (sending !== undefined) await sending;
    } catch (cause) {
      const error = cause instanceof ShelflistError ? cause : new ShelflistError('internal', { cause });
      if (error.headers.Connection !== undefined) over.add(request.socket);
      fail(request, response, error, headers);
      if (call?.isAborted !== true) logFault(logger, error, request, requestId);
    }
    if (!request.complete) discardRest(request);
    logRequest?.(request, response, requestId, begun);
    if (metrics !== undefined && response.headersSent) {
      // A method is counted by its name only where the table of routes has it: strangers make no labels.
      const method = matched === undefined ? 'none' : (request.method ?? 'none');
      const seconds = (performance.now() - begun) / 1000;
      metrics.count(method, matched?.path ?? 'none', response.statusCode, seconds);
    }
  }

  function fail(
    request: IncomingMessage,
    response: ServerResponse,
    error: ShelflistError,
    headers: HeaderList,
  ): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (response.destroyed) return;
    const isToClose = isUnread(request) || isLast?.(response) === true;
    const own = isToClose && error.headers.Connection === undefined ? [...headers, ...closed] : headers;
    sendError(response, error, own);
  }

  return {
    handle(request, response) {
      // RFC 9112, section 9.6.
      if (over.has(request.socket)) {
        response.destroy();
        return;
      }
      const generation = underWay.began();
      const ended = () => {
        underWay.ended(generation);
      };
      answer(request, response).then(ended, () => {
        response.destroy(); // In a server that is not ours, somebody else may have answered already.
        ended();
      });
    },
    drain(isLastOfItsConnection) {
      isLast = isLastOfItsConnection;
    },
    async close(patienceMs) {
      await within(patienceMs, underWay.none()).catch(() => undefined);
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
function isUnread(request: IncomingMessage): boolean {
  return !request.complete && expectsContinue(request);
}
