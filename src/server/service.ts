import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createLoginRateLimit, type LoginRateLimit } from '../auth/login-rate-limit.ts';
import { createTokens, type Tokens } from '../auth/tokens.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import { InFlight } from '../lib/in-flight.ts';
import type { Logger } from '../lib/logger.ts';
import { withTimeout } from '../lib/timeout.ts';
import { openStore } from '../store/drivers.ts';
import { checkAccess, type User } from './access.ts';
import { Call, readToken, type CallContext } from './call.ts';
import type { CheckedConfig } from './config.ts';
import { BodyReader, discardRest } from './http/body.ts';
import { BulkBodies } from './http/bulk-body.ts';
import { createClientAddress } from './http/client-address.ts';
import { createCrossOrigin } from './http/cors.ts';
import { readRequestId, type HeaderList } from './http/headers.ts';
import { checkRequest, expectsContinue, parseTarget } from './http/request-target.ts';
import { prepareRoute, sendError, sendReply } from './http/send-reply.ts';
import { UnreadBytes } from './http/unread-bytes.ts';
import { guardHooks, type RequestInfo } from './hooks.ts';
import { announceChanges } from './live/announce-changes.ts';
import { ChangeFeed } from './live/change-feed.ts';
import { createAccessLog } from './observability/access-log.ts';
import { logError } from './observability/error-log.ts';
import { silent } from './observability/create-logger.ts';
import { measureStore } from './observability/measured-store.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import type { Route } from './route.ts';
import { createRouter } from './router.ts';
import { createRoutes } from './routes/routes.ts';

const closed = ['Connection', 'close'] as const;

/** The pipeline from a parsed request to its response. */
export interface Service {
  /** Handles a request. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** From now on, the last response on each connection tells the client to close it. */
  drain(isLast: (response: ServerResponse) => boolean): void;
  /** Waits for the responses in flight, up to a timeout. Then closes the store, unless it was passed in. */
  close(timeoutMs: number): Promise<void>;
}

/** What several processes of one service share. */
export interface Shared {
  metrics?: Metrics;
  loginRateLimit?: LoginRateLimit;
  /** `false`: another process logs the warnings about the configuration and the store, which are the same in each. */
  warn?: boolean;
}

/** @throws {ShelflistError} `store_unusable`. */
export async function openService(config: CheckedConfig, shared: Shared = {}): Promise<Service> {
  const { logger, secretToken, secretTokenPrevious, authorize } = config;
  const commonLogger = shared.warn === false ? { ...logger, warn: silent } : logger;
  warnOfShort(commonLogger, 'the token secret', secretToken);
  warnOfShort(commonLogger, 'the previous token secret', secretTokenPrevious);
  // In parallel: one waits for files while the other compiles.
  const [tokens, ownStore] = await Promise.all([
    createTokens(secretToken, {
      previousSecret: secretTokenPrevious,
      session: {
        // Users of `authenticate` have no common password: the proof is that this service issued the token.
        login: { username: config.authUsername ?? '', password: config.authPassword ?? '' },
        sessionHours: config.sessionHours,
      },
      ...config.tokens,
    }),
    config.store ?? openStore(config.databaseUrl, { ...config, logger: commonLogger }),
  ]);
  const metrics = config.metrics ? (shared.metrics ?? createMetrics()) : undefined;
  const store = metrics === undefined ? ownStore : measureStore(ownStore, metrics);
  const { loginRateLimit = createLoginRateLimit() } = shared;
  const crossOrigin = createCrossOrigin(config.corsOrigins);
  const feed = new ChangeFeed(store);
  const closing = new AbortController();
  const { signal } = closing;
  const routes = createRoutes(config, { store, feed, tokens, loginRateLimit, metrics, closing: signal });
  const match = createRouter(routes.map(prepareRoute));
  const context: CallContext = {
    acceptBearer: config.acceptBearer,
    mount: { prefix: config.prefix, publicPath: config.publicPath },
    clientAddress: createClientAddress(config.trustedProxies),
    bodies: new BodyReader(config.bodyLimitBytes),
    bulkBodies: new BulkBodies(config.bulkLimitBytes, config.bodyLimitBytes),
  };
  const logAccess = createAccessLog(logger, context.clientAddress);
  const authenticate = createAuthentication(tokens, config.acceptBearer);
  const { onChange, onRequest, onResponse } = guardHooks(config, logger);
  const endAnnouncing = onChange && (await announceChanges(store, onChange));
  const inFlight = new InFlight();
  const unread = new UnreadBytes();
  /** Connections whose client was told to close them. What follows may not be a request, or come from another client. */
  const closedSockets = new WeakSet<Socket>();
  let isLast: ((response: ServerResponse) => boolean) | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begun = performance.now();
    const requestId = readRequestId(request);
    const headers = ['X-Request-Id', requestId];
    if (crossOrigin !== undefined) headers.push(...crossOrigin(request.headers.origin));
    onRequest?.(describeRequest(request, requestId));
    let matched: Route | undefined;
    let call: Call | undefined;
    let user: User | undefined;
    let isCounted = false;
    /** Counts the response, once. Only methods and paths of routes become labels, so that clients cannot create labels. */
    const count = () => {
      if (metrics === undefined || isCounted || !response.headersSent) return;
      isCounted = true;
      const method = matched === undefined ? 'none' : (request.method ?? 'none');
      const seconds = (performance.now() - begun) / 1000;
      metrics.countResponse(method, matched?.path ?? 'none', response.statusCode, seconds);
    };
    try {
      checkRequest(request);
      const { path, query } = parseTarget(request.url ?? '', config.prefix);
      const { route, id } = match(request.method ?? '', path, request.headers.accept);
      matched = route;
      const { authorization } = request.headers;
      if (route.public !== true && !(route.isTokenOptional === true && !authorization)) {
        const verified = authenticate(authorization);
        ({ user } = verified instanceof Promise ? await verified : verified);
      }
      call = new Call(request, response, id, query, context);
      if (authorize !== undefined && route.action !== undefined)
        await checkAccess(authorize, user, route.action, route.path.includes('{id}') ? call.id : undefined);
      if (route.isLong === true) await unread.turn(response, call.signal);
      const reply = await route.handle(call);
      if (reply.error !== undefined) logError(logger, reply.error, request, requestId);
      const own = isLast?.(response) === true ? [...headers, ...closed] : headers;
      const sending = sendReply(response, route, reply, own, unread);
      if (reply.stream !== undefined) {
        count(); // Its end may be hours away.
        if (!request.complete) discardRest(request);
      }
      if (sending !== undefined) await sending;
    } catch (cause) {
      const error = cause instanceof ShelflistError ? cause : new ShelflistError('internal', { cause });
      if (error.headers.Connection !== undefined) closedSockets.add(request.socket);
      fail(request, response, error, headers);
      if (call?.isAborted !== true) logError(logger, error, request, requestId);
    }
    if (!request.complete) discardRest(request);
    logAccess?.(request, response, requestId, begun);
    onResponse?.({
      ...describeRequest(request, requestId),
      route: matched?.path,
      status: response.headersSent ? response.statusCode : undefined,
      durationMs: performance.now() - begun,
      user,
    });
    count();
  }

  const describeRequest = (request: IncomingMessage, requestId: string): RequestInfo => ({
    requestId,
    method: request.method ?? '',
    path: request.url?.split('?', 1)[0] ?? '',
    address: context.clientAddress(request),
  });

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
    const mustClose = isUnread(request) || isLast?.(response) === true;
    const own = mustClose && error.headers.Connection === undefined ? [...headers, ...closed] : headers;
    sendError(response, error, own);
  }

  return {
    handle(request, response) {
      // RFC 9112, section 9.6.
      if (closedSockets.has(request.socket)) {
        response.destroy();
        return;
      }
      const generation = inFlight.begin();
      const end = () => {
        inFlight.end(generation);
      };
      answer(request, response).then(end, () => {
        response.destroy(); // In a server of an embedder, other code may have responded already.
        end();
      });
    },
    drain(isLastResponse) {
      isLast = isLastResponse;
      feed.close();
    },
    async close(timeoutMs) {
      feed.close();
      await withTimeout(timeoutMs, inFlight.settled()).catch(() => undefined);
      await endAnnouncing?.();
      closing.abort(new ShelflistError('unavailable', { message: 'the service is closing' }));
      if (config.store === undefined) await store.close();
    },
  };
}

/** Verifies the value of `Authorization`, or throws `token_required` or `invalid_token`. */
function createAuthentication(tokens: Tokens, acceptBearer: boolean) {
  return (authorization: string | undefined) => {
    if (authorization === undefined || authorization === '') throw new ShelflistError('token_required');
    return tokens.verify(readToken(authorization, acceptBearer));
  };
}

function warnOfShort(logger: Logger, name: string, secret: string | undefined): void {
  if (secret === undefined || Buffer.byteLength(secret) >= 32) return;
  logger.warn(
    {},
    `${name} is too short: it has fewer than 32 bytes (RFC 7518, section 3.2); create one with \`shelflist init\``,
  );
}

/** Whether the client still waits for `100 Continue`: what follows may be the body or the next request, so the connection closes. */
function isUnread(request: IncomingMessage): boolean {
  return !request.complete && expectsContinue(request);
}
