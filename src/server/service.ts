import type { IncomingMessage, ServerResponse } from 'node:http';
import { createAttempts } from '../auth/attempts.ts';
import { createCredentialCheck } from '../auth/credentials.ts';
import { createTokens, type Tokens } from '../auth/tokens.ts';
import { parseId } from '../book.ts';
import { ShelflistError } from '../errors.ts';
import { within } from '../store/deadline.ts';
import { openStore } from '../store/open.ts';
import { discardRest, isNdjson, readJson, streamBody } from './body.ts';
import { readArray, readLines } from './bulk.ts';
import { readConditions } from './conditions.ts';
import type { CheckedConfig } from './config.ts';
import { createCrossOrigin, preflightRoutes } from './cors.ts';
import { logFault } from './fault.ts';
import { askedAgain, notSniffed, notStored, readRequestId, type Headers } from './headers.ts';
import type { Logger } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createRequestLog } from './request-log.ts';
import { sendEnvelope, sendError, sendNotModified, sendPages, sendText } from './reply.ts';
import type { Call, Data, Route } from './route.ts';
import { createRouter } from './router.ts';
import { bookRoutes } from './routes/books.ts';
import { documentRoutes } from './routes/document.ts';
import { healthRoutes } from './routes/health.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { tokenRoutes } from './routes/token.ts';
import { checkRequest, expectsContinue, parseTarget, readAskedPath } from './target.ts';

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

/** @throws {ShelflistError} `store_unusable`. */
export async function openService(config: CheckedConfig): Promise<Service> {
  const { logger, secretToken, secretTokenPrevious } = config;
  warnOfShort(logger, 'the secret that signs tokens', secretToken);
  warnOfShort(logger, 'the previous secret', secretTokenPrevious);
  const tokens = await createTokens(secretToken, { previousSecret: secretTokenPrevious });
  const isAccepted = createCredentialCheck({ username: config.authUsername, password: config.authPassword });
  const store = config.store ?? (await openStore(config.databaseUrl));
  const metrics = config.metrics ? createMetrics() : undefined;
  const crossOrigin = createCrossOrigin(config.corsOrigins);
  const routes: Route[] = [
    ...healthRoutes(store),
    ...tokenRoutes(isAccepted, createAttempts(), tokens),
    ...bookRoutes(store),
    ...(metrics === undefined ? [] : metricsRoutes(metrics)),
    ...documentRoutes(() => routes, config.prefix),
  ];
  if (crossOrigin !== undefined) routes.push(...preflightRoutes(routes));
  const route = createRouter(routes);
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
      const call: Call = {
        get id() {
          return match.id === undefined ? 0 : readId(match.id);
        },
        readPath: () => readAskedPath(request),
        query,
        conditions: readConditions(request.headers),
        address: request.socket.remoteAddress ?? '',
        readJson: () => readJson(request, response, config.bodyLimitBytes),
        readElements: () => {
          const body = streamBody(request, response, config.bulkLimitBytes);
          return (isNdjson(request) ? readLines : readArray)(body, config.bodyLimitBytes);
        },
      };
      const reply = await match.route.handle(call);
      const { data } = reply;
      const { status, message } = match.route;
      const headers = {
        ...common,
        ...(match.route.public === true ? notStored : askedAgain),
        ...match.route.headers,
        ...reply.headers,
        ...(reply.tag !== undefined && { ETag: reply.tag }),
        ...closing(response),
      };
      if (reply.isNotModified === true) sendNotModified(response, headers);
      else if (typeof data === 'string') sendText(response, status, data, headers);
      else if (isPages(data)) await sendPages(response, status, message, data, headers);
      else sendEnvelope(response, status, message, data, headers);
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

/** Passes a request whose `Authorization` value is a valid token; the value is the token alone. */
function createAuthentication(tokens: Tokens, acceptBearer: boolean) {
  return (authorization: string | undefined): Promise<void> | undefined => {
    if (authorization === undefined || authorization === '') throw new ShelflistError('token_required');
    return tokens.verify(acceptBearer ? authorization.replace(/^bearer +/i, '') : authorization);
  };
}

/** What is no canonical id names no book. */
function readId(text: string): number {
  const id = parseId(text);
  if (id === undefined) throw new ShelflistError('book_not_found');
  return id;
}

function isPages(data: Data): data is Extract<Data, AsyncIterable<unknown>> {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}
