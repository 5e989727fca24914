import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Login } from '../auth/credentials.ts';
import { createLoginCodes, type LoginCodes } from '../auth/login-codes.ts';
import { createLoginRateLimit, type LoginRateLimit } from '../auth/login-rate-limit.ts';
import { createTokens, type Tokens } from '../auth/tokens.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import { minSecretBytes } from '../config/settings.ts';
import { InFlight } from '../lib/in-flight.ts';
import type { LookUp } from '../lookup/look-up.ts';
import type { Logger } from '../lib/logger.ts';
import { withTimeout } from '../lib/timeout.ts';
import { completeStore } from '../store/complete.ts';
import { canBackUp, openCompleteStore } from '../store/drivers.ts';
import { usesDerivedKey, hasUsers, type CheckedConfig } from './config.ts';
import { Exchange, type ServiceContext } from './exchange.ts';
import { guardHooks, announceChanges } from './hooks.ts';
import { BodyReader } from './http/body.ts';
import { BulkBodies } from './http/bulk-body.ts';
import { createFolderUrl } from './http/folder-url.ts';
import { createClientAddress } from './http/request.ts';
import { createCrossOrigin, templateOf } from './http/reply.ts';
import { PublicReaders } from './http/public-readers.ts';
import { UnreadBytes } from './http/writing.ts';
import { ChangeFeed } from './live/change-feed.ts';
import { silent, createAccessLog } from './observability/log.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { createRouter, createRoutes, type LiveParts } from './routes.ts';
import type { LiveSettings } from '../catalogue/changeable-settings.ts';

/** When a service closes, responses in flight get this long. */
export const maxCloseMs = 8000;

/** The parts that several processes of one service share. */
export interface Shared {
  metrics?: Metrics;
  loginRateLimit?: LoginRateLimit;
  loginCodes?: LoginCodes;
  /** The accepted login: a change of its password is one for all processes. */
  login?: Login;
  /** Looks books up for all processes, so that the source is asked once. */
  lookUp?: LookUp;
  /** `false`: another process logs the warnings about the configuration and the store, which are the same in each. */
  warn?: boolean;
}

/** @throws {ShelflistError} `store_unusable`. */
export async function openService(config: CheckedConfig, shared: Shared = {}): Promise<Service> {
  const { logger, secretToken, secretTokenPrevious } = config;
  const commonLogger = shared.warn === false ? { ...logger, warn: silent } : logger;
  warnOfShort(commonLogger, 'the token secret', secretToken);
  warnOfShort(commonLogger, 'the previous token secret', secretTokenPrevious);
  const { login = loginOf(config) } = shared;
  const metrics = config.metrics ? (shared.metrics ?? createMetrics()) : undefined;
  const onCall = metrics?.countStoreCall.bind(metrics);
  const opening =
    config.store === undefined
      ? openCompleteStore(config.databaseUrl, { ...config, logger: commonLogger }, { onCall })
      : completeStore(config.store, { onCall });
  // In parallel if they can be: one waits for files while the other compiles.
  const scope = usesDerivedKey(config) ? (config.tokens?.audience ?? (await opening).description) : undefined;
  const [tokens, store] = await Promise.all([openTokens(config, login, scope), opening]);
  const { loginRateLimit = createLoginRateLimit(), loginCodes = createLoginCodes() } = shared;
  const feed = new ChangeFeed(store);
  const closing = new AbortController();
  const { signal } = closing;
  const { settings } = config;
  const routesOf = createRoutes(config, {
    store,
    feed,
    tokens,
    login,
    loginRateLimit,
    loginCodes,
    canBackUp: config.databaseUrl !== undefined && (await canBackUp(config.databaseUrl)),
    metrics,
    closing: signal,
  });
  const openParts = createPartsOpener(config, signal, shared);
  const serve = async () => {
    const parts = await openParts({ ...config, ...settings?.live });
    const routes = routesOf(parts).map((route) => ({ ...route, template: templateOf(route) }));
    return { match: createRouter(routes), publicReaders: parts.publicReaders };
  };
  const hooks = guardHooks(config, logger);
  const endAnnouncing = hooks.onChange && (await announceChanges(store, hooks.onChange));
  const first = settings?.live;
  const context = createPipeline(config, { tokens, metrics, hooks, ...(await serve()) });
  const apply = async () => {
    Object.assign(context, await serve());
  };
  const endChanges = settings?.onChange(apply);
  if (settings?.live !== first) await apply(); // They have changed meanwhile.
  return new Service(context, feed, async () => {
    endChanges?.();
    await endAnnouncing?.();
    closing.abort(new ShelflistError('unavailable', { message: 'the service is closing' }));
    if (config.store === undefined) await store.close();
  });
}

/** The pipeline from a parsed request to its response. */
export class Service {
  readonly #service: ServiceContext;
  readonly #feed: ChangeFeed;
  readonly #end: () => Promise<void>;
  readonly #inFlight = new InFlight();

  /** @param end Ends the service once no response is in flight. */
  constructor(service: ServiceContext, feed: ChangeFeed, end: () => Promise<void>) {
    this.#service = service;
    this.#feed = feed;
    this.#end = end;
  }

  /** Handles a request. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    // RFC 9112, section 9.6. What follows may not be a request, or come from another client.
    if (this.#service.closedSockets.has(request.socket)) {
      response.destroy();
      return;
    }
    const generation = this.#inFlight.begin();
    void new Exchange(this.#service, request, response)
      .run()
      // In a server of an embedder, other code may have responded already.
      .catch(() => response.destroy())
      .then(() => {
        this.#inFlight.end(generation);
      });
  }

  /** From now on, the last response on each connection tells the client to close it. */
  drain(isLast: (response: ServerResponse) => boolean): void {
    this.#service.isLast = isLast;
    this.#feed.close();
  }

  /** Waits for the responses in flight, up to a timeout. Then closes the store, unless it was passed in. */
  async close(timeoutMs: number): Promise<void> {
    this.#feed.close();
    await withTimeout(timeoutMs, this.#inFlight.settled()).catch(() => undefined);
    await this.#end();
  }
}

/** Creates the function that opens what the routes need for some settings. What these do not change stays, with what it knows. */
function createPartsOpener(
  { readLimit }: CheckedConfig,
  closing: AbortSignal,
  shared: Shared,
): (settings: LiveSettings) => Promise<LiveParts> {
  let opened: { source: string; lookUp: LookUp | undefined } | undefined;
  let readers: PublicReaders | undefined;
  const openLookUp = async (source: string): Promise<LookUp | undefined> => {
    if (source === 'off') return undefined;
    return shared.lookUp ?? (await import('../lookup/look-up.ts')).createLookUp(source, closing);
  };
  return async ({ bookLookup: source, ...settings }) => {
    if (opened?.source !== source) opened = { source, lookUp: await openLookUp(source) };
    const publicReaders =
      settings.publicRead && readLimit > 0 ? (readers ??= new PublicReaders(readLimit)) : undefined;
    return { ...settings, publicReaders, lookUp: opened.lookUp };
  };
}

/** The accepted login. Users of `authenticate` have none: the proof of a login is that this service issued the token. */
export function loginOf({ authUsername = '', authPassword = '' }: CheckedConfig): Login {
  return { username: authUsername, password: authPassword };
}

/** @returns `undefined`: there are no tokens, because the app says who asks. */
async function openTokens(
  { secretToken, secretTokenPrevious, sessionHours, tokens: { issuer, audience } = {} }: CheckedConfig,
  login: Login,
  scope: string | undefined,
): Promise<Tokens | undefined> {
  if (secretToken === undefined) return undefined;
  const session = { login, sessionHours };
  return createTokens(secretToken, {
    previousSecret: secretTokenPrevious,
    session,
    scope,
    issuer,
    audience,
  });
}

function createPipeline(
  { logger, authorize, identify, corsOrigins, errorDetails, ...config }: CheckedConfig,
  given: Pick<ServiceContext, 'tokens' | 'metrics' | 'hooks' | 'match' | 'publicReaders'>,
): ServiceContext {
  const clientAddress = createClientAddress(config.trustedProxies);
  const mount = { prefix: config.prefix, publicPath: config.publicPath };
  return {
    ...given,
    logger,
    authorize,
    identify,
    corsOrigins,
    errorDetails,
    context: {
      hasUsers: hasUsers({ ...config, identify }),
      acceptBearer: config.acceptBearer,
      mount,
      clientAddress,
      folderUrl: createFolderUrl(config.trustedProxies, mount),
      bodies: new BodyReader(config.bodyLimitBytes),
      bulkBodies: new BulkBodies(config.bulkLimitBytes, config.bodyLimitBytes),
    },
    crossOrigin: createCrossOrigin(corsOrigins),
    unread: new UnreadBytes(),
    logAccess: createAccessLog(logger, clientAddress),
    closedSockets: new WeakSet(),
    isLast: () => false,
  };
}

function warnOfShort(logger: Logger, name: string, secret: string | undefined): void {
  if (secret === undefined || Buffer.byteLength(secret) >= minSecretBytes) return;
  logger.warn(
    {},
    `${name} is too short: it has fewer than ${minSecretBytes} bytes (RFC 7518, section 3.2); create one with \`shelflist init\``,
  );
}
