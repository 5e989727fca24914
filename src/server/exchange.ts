import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Tokens, VerifiedToken } from '../auth/tokens.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import type { User } from '../catalogue/user.ts';
import type { Logger } from '../lib/logger.ts';
import { answerOf, identifyUser, checkAccess, type AnyIdentify, type Authorize } from './routes/access.ts';
import type { Route } from './routes/route.ts';
import { Call, hasForeignScheme, readToken, type CallContext } from './http/call.ts';
import type { GuardedHooks, RequestInfo } from './hooks.ts';
import { discardRest } from './http/body.ts';
import { HttpError } from './http/http-error.ts';
import { type CrossOrigin, type HeaderList, sendError, sendReply, type Template } from './http/reply.ts';
import {
  checkRequest,
  expectsContinue,
  originalRequests,
  parseTarget,
  readRequestId,
  readTraceId,
} from './http/request.ts';
import type { PublicReaders } from './http/public-readers.ts';
import type { UnreadBytes } from './http/writing.ts';
import type { Metrics } from './observability/metrics.ts';
import { logError, type LogAccess } from './observability/log.ts';
import type { Router } from './routes.ts';

type ServedRoute = Route & { readonly template: Template };

/** The parts that all requests of a service share. */
export interface ServiceContext {
  /** Replaced when settings change. */
  match: Router<ServedRoute>;
  readonly context: CallContext;
  readonly tokens: Tokens | undefined;
  readonly identify: AnyIdentify | undefined;
  /** Other origins whose pages may use the service. */
  readonly corsOrigins: readonly string[];
  readonly authorize: Authorize | undefined;
  readonly crossOrigin: CrossOrigin | undefined;
  /** `undefined`: readers without a token have no limit. */
  publicReaders: PublicReaders | undefined;
  readonly unread: UnreadBytes;
  readonly metrics: Metrics | undefined;
  readonly logger: Logger;
  readonly logAccess: LogAccess | undefined;
  readonly hooks: Pick<GuardedHooks, 'onRequest' | 'onResponse'>;
  /** Whether errors have a member `error`. */
  readonly errorDetails: boolean;
  /** Connections whose client was told to close them. */
  readonly closedSockets: WeakSet<Socket>;
  /** Whether the service is stopping, and no further request has arrived on the connection. */
  isLast: (response: ServerResponse) => boolean;
}

const close = ['Connection', 'close'] as const;

function closesConnection(error: ShelflistError): boolean {
  return error instanceof HttpError && error.headers.Connection !== undefined;
}

/** A request and its response: the steps from one to the other. */
export class Exchange {
  readonly #service: ServiceContext;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #requestId: string;
  /** The headers of this response, besides those of its route. */
  readonly #headers: string[];
  readonly #begun = performance.now();
  #route: ServedRoute | undefined;
  #call: Call | undefined;
  #isCounted = false;

  constructor(service: ServiceContext, request: IncomingMessage, response: ServerResponse) {
    this.#service = service;
    this.#request = request;
    this.#response = response;
    this.#requestId = readRequestId(request);
    this.#headers = ['X-Request-Id', this.#requestId];
    if (service.crossOrigin !== undefined) this.#headers.push(...service.crossOrigin(request.headers.origin));
  }

  /** Responds to the request. Rejects only if other code has responded already. */
  async run(): Promise<void> {
    this.#service.hooks.onRequest?.(this.#info());
    try {
      const { route, call } = this.#findRoute();
      if (this.#service.identify !== undefined) await this.#identify(this.#service.identify, route, call);
      const verifying = this.#authenticate(route, call);
      if (verifying !== undefined) await verifying;
      await this.#authorize(route, call);
      if (this.#service.identify !== undefined || this.#service.authorize !== undefined)
        call.isStillAllowed = () => this.#isStillAllowed(route, call);
      await this.#reply(route, call);
    } catch (cause) {
      this.#fail(cause);
    }
    this.#finish();
  }

  #findRoute(): { route: ServedRoute; call: Call } {
    const { match, context } = this.#service;
    const request = this.#request;
    checkRequest(request);
    const { path, query } = parseTarget(request.url ?? '', context.mount.prefix);
    const { accept, 'sec-fetch-mode': mode } = request.headers;
    const { route, id } = match(request.method ?? '', path, accept, mode === 'navigate');
    this.#route = route;
    const call = new Call(request, this.#response, id, query, context);
    this.#call = call;
    return { route, call };
  }

  /** Asks the app who asks. @throws {ShelflistError} `forbidden`, `unavailable`. */
  async #identify(identify: AnyIdentify, route: ServedRoute, call: Call): Promise<void> {
    const isPublic = route.public === true && route.asksForUser !== true;
    if (isPublic || route.isAboutToken === true) return;
    call.user = await this.#askWho(identify, call.signal);
    call.isIdentified = call.user !== undefined;
  }

  #askWho(identify: AnyIdentify, disconnected: AbortSignal): Promise<User | undefined> {
    const request = this.#request;
    const { method, path, address } = this.#info();
    const { headers } = request;
    const asked = { method, path, address, headers, request: originalRequests.get(request) ?? request };
    return identifyUser(identify, asked, this.#service.corsOrigins, disconnected);
  }

  /** Whether the app still knows the same user, and still allows the request. Without an answer, it does not. */
  async #isStillAllowed(route: ServedRoute, call: Call): Promise<boolean> {
    const { identify } = this.#service;
    const ask = async (): Promise<boolean> => {
      if (identify !== undefined && call.isIdentified && call.tokenExpiry === undefined) {
        const user = await this.#askWho(identify, call.signal);
        if (user?.name !== call.user?.name) return false;
        call.user = user;
      }
      await this.#authorize(route, call);
      return true;
    };
    return answerOf('authorize', call.signal, ask).catch(() => false);
  }

  /** @throws {ShelflistError} `token_required`, `invalid_token`. */
  #authenticate({ public: isPublic, isTokenOptional }: ServedRoute, call: Call): Promise<void> | undefined {
    if (isPublic === true || call.isIdentified) return undefined;
    const { authorization = '' } = this.#request.headers;
    // A browser sends the login of a proxy (`Basic …`) with each request: for a public reader, it does not count as a token.
    if (authorization === '' || (isTokenOptional === true && hasForeignScheme(authorization))) {
      if (isTokenOptional === true) return undefined;
      throw new ShelflistError('token_required');
    }
    const { tokens, context } = this.#service;
    if (tokens === undefined) throw new ShelflistError('invalid_token');
    const verified = tokens.verify(readToken(authorization, context.acceptBearer));
    // A token that was verified before costs no turn of the event loop.
    const accept = ({ user, exp }: VerifiedToken) => {
      call.user = user;
      call.isIdentified = true;
      call.tokenExpiry = exp;
    };
    if (verified instanceof Promise) return verified.then(accept);
    accept(verified);
    return undefined;
  }

  async #authorize({ action, path }: ServedRoute, call: Call): Promise<void> {
    const { authorize } = this.#service;
    if (authorize === undefined || action === undefined) return;
    await checkAccess(authorize, {
      user: call.user,
      action,
      id: path.includes('{id}') ? call.id : undefined,
    });
  }

  async #reply(route: ServedRoute, call: Call): Promise<void> {
    const { unread, logger } = this.#service;
    const response = this.#response;
    if (route.isLong === true) await unread.turn(response, call.signal);
    const admitting = this.#admit(route, call);
    if (admitting !== undefined) await admitting;
    const reply = await route.handle(call);
    if ('body' in reply && reply.error !== undefined)
      logError(logger, reply.error, this.#request, this.#requestId);
    const sending = sendReply(response, route.template, reply, this.#ownHeaders(), unread);
    if ('stream' in reply) {
      this.#count(); // A stream may last for hours.
      if (!this.#request.complete) discardRest(this.#request);
    }
    if (sending !== undefined) await sending;
  }

  /** @throws {ShelflistError} `too_many_requests` */
  #admit({ isTokenOptional }: ServedRoute, call: Call): Promise<void> | undefined {
    const { publicReaders } = this.#service;
    if (publicReaders === undefined || isTokenOptional !== true || call.isIdentified) return undefined;
    return publicReaders.admit(call.address, call.signal);
  }

  /** @param mustClose Whether the client is told to close the connection. */
  #ownHeaders(mustClose = this.#service.isLast(this.#response)): HeaderList {
    const headers = mustClose ? [...this.#headers, ...close] : this.#headers;
    if (readTraceId(this.#request) === undefined) return headers;
    const duration = (performance.now() - this.#begun).toFixed(1);
    return [...headers, 'Server-Timing', `total;dur=${duration}`];
  }

  #fail(cause: unknown): void {
    const { logger, closedSockets } = this.#service;
    const error = cause instanceof ShelflistError ? cause : new ShelflistError('internal', { cause });
    if (closesConnection(error)) closedSockets.add(this.#request.socket);
    if (this.#response.headersSent) this.#response.destroy();
    else if (!this.#response.destroyed) this.#sendError(error);
    if (this.#call?.isAborted !== true) logError(logger, error, this.#request, this.#requestId);
  }

  #sendError(error: ShelflistError): void {
    // The client still waits for `100 Continue`: the next bytes may be the body or another request.
    const isUnread = !this.#request.complete && expectsContinue(this.#request);
    const mustClose = !closesConnection(error) && (isUnread || this.#service.isLast(this.#response));
    sendError(this.#response, error, this.#ownHeaders(mustClose), this.#service.errorDetails);
  }

  #finish(): void {
    const { logAccess, hooks } = this.#service;
    if (!this.#request.complete) discardRest(this.#request);
    logAccess?.(this.#request, this.#response, this.#requestId, this.#begun);
    hooks.onResponse?.({
      ...this.#info(),
      route: this.#route?.path,
      status: this.#response.headersSent ? this.#response.statusCode : undefined,
      durationMs: performance.now() - this.#begun,
      user: this.#call?.user,
    });
    this.#count();
  }

  /** Counts the response, once. Only methods and paths of routes become labels, so that clients cannot create labels. */
  #count(): void {
    const { metrics } = this.#service;
    if (metrics === undefined || this.#isCounted || !this.#response.headersSent) return;
    this.#isCounted = true;
    const method = this.#route === undefined ? 'none' : (this.#request.method ?? 'none');
    const seconds = (performance.now() - this.#begun) / 1000;
    metrics.countResponse(method, this.#route?.path ?? 'none', this.#response.statusCode, seconds);
  }

  #info(): RequestInfo {
    const { method = '', url = '' } = this.#request;
    const [path = ''] = url.split('?', 1);
    const address = this.#service.context.clientAddress(this.#request);
    return { requestId: this.#requestId, method, path, address };
  }
}
