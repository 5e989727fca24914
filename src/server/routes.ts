import { createCredentialCheck, type Login } from '../auth/credentials.ts';
import type { LoginCodes } from '../auth/login-codes.ts';
import type { LoginRateLimit } from '../auth/login-rate-limit.ts';
import type { Tokens } from '../auth/tokens.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import type { CompleteStore } from '../store/contract/store.ts';
import { ReadQueue } from '../derived/read-queue.ts';
import { hasUsers, type CheckedConfig } from './config.ts';
import type { LookUp } from '../lookup/look-up.ts';
import type { LiveSettings } from '../catalogue/changeable-settings.ts';
import type { ChangeFeed } from './live/change-feed.ts';
import type { Metrics } from './observability/metrics.ts';
import type { PublicReaders } from './http/public-readers.ts';
import { HttpError } from './http/http-error.ts';
import { pageRoutes } from './page/page-routes.ts';
import { authorsRoute } from './routes/authors.ts';
import { backupRoute } from './routes/backup.ts';
import { bookRoutes } from './routes/book.ts';
import { importRoute } from './routes/import.ts';
import { listRoute } from './routes/list.ts';
import { lookUpRoute } from './routes/look-up.ts';
import { isbnRoute } from './routes/isbn.ts';
import { IdempotencyKeys } from './routes/idempotency-keys.ts';
import { changesRoute } from './routes/changes.ts';
import { duplicatesRoute } from './routes/duplicates.ts';
import { historyRoutes } from './routes/history.ts';
import { documentRoute, healthRoutes, metricsRoute } from './routes/operation.ts';
import { optionsRoutes } from './routes/options.ts';
import { questionRoutes } from './routes/questions.ts';
import type { Endpoint } from './openapi/operation.ts';
import { settingsRoutes } from './routes/settings.ts';
import { authenticateUser } from './routes/access.ts';
import type { ReaderFor, Route } from './routes/route.ts';
import { passwordRoute, tokenRoutes, type Logins } from './routes/token.ts';

interface Dependencies {
  store: CompleteStore;
  feed: ChangeFeed;
  /** `undefined`: the app says who asks, and there are no logins. */
  tokens: Tokens | undefined;
  /** The one accepted login, if there are no other users. */
  login: Login;
  loginRateLimit: LoginRateLimit;
  loginCodes: LoginCodes;
  /** Whether the store can be copied into a file. */
  canBackUp: boolean;
  /** `undefined` if the service does not serve metrics. */
  metrics: Metrics | undefined;
  /** Aborted when the service closes. */
  closing: AbortSignal;
}

/** The check of a login: that of the embedder, which tells users apart, or of the one accepted pair. */
function createAuthenticate({ authenticate }: CheckedConfig, accepted: Login): Logins['authenticate'] {
  if (authenticate === undefined) {
    const isAccepted = createCredentialCheck(accepted);
    return (request) => (isAccepted(request) ? {} : undefined);
  }
  return async (request, disconnected) => {
    const user = await authenticateUser(authenticate, request, disconnected);
    return user && { user };
  };
}

/** Parts that the routes use, and that can change while the service runs. */
export interface LiveParts extends Omit<LiveSettings, 'bookLookup'> {
  /** `undefined`: readers without a token have no limit. */
  readonly publicReaders: PublicReaders | undefined;
  /** `undefined` if the service does not look books up. */
  readonly lookUp: LookUp | undefined;
}

/**
 * Creates the table of routes, from which the router, `Allow`, the OpenAPI document and metrics labels derive.
 *
 * @returns The function that makes it for the parts that can change. All its tables share the state of the routes.
 */
export function createRoutes(
  config: CheckedConfig,
  { store, feed, tokens, login, loginRateLimit, loginCodes, canBackUp, metrics, closing }: Dependencies,
): (live: LiveParts) => Route[] {
  const { corsOrigins, authorize, storePassword, settings, logger } = config;
  const pages = new ReadQueue(store);
  const anonymous = pages.forAnonymous();
  const readerFor: ReaderFor = ({ isIdentified }) => (isIdentified ? pages : anonymous);
  const repeats = new IdempotencyKeys(login);
  const onFailure = (address: string) => {
    logger.warn({ address }, 'failed login'); // Without the username: people type passwords there by mistake.
    metrics?.countFailedLogin();
  };
  const logins = tokens && {
    authenticate: createAuthenticate(config, login),
    loginRateLimit,
    loginCodes,
    tokens,
    onFailure,
  };
  const hasHistory = config.store === undefined || config.store.history !== undefined;
  const backupState = async () => {
    const { lastBackupSeconds, lastChangeSeconds } = await store.measure();
    return { at: timeOf(lastBackupSeconds), changedAt: timeOf(lastChangeSeconds) };
  };
  const access = [
    ...healthRoutes(store),
    ...(logins === undefined ? [] : tokenRoutes(logins)),
    ...(logins === undefined || storePassword === undefined
      ? []
      : [passwordRoute({ ...logins, login, storePassword })]),
    ...(settings === undefined ? [] : settingsRoutes(settings, canBackUp ? backupState : undefined)),
  ];
  const lists = [listRoute(store, readerFor), importRoute(store, repeats), lookUpRoute(store, readerFor)];
  const others = [
    ...bookRoutes(store, repeats),
    ...questionRoutes(store, readerFor),
    authorsRoute(store, readerFor, { closing, logger }),
    changesRoute(feed),
    ...historyRoutes(store, pages).map((route) => (hasHistory ? route : notImplemented(route))),
    duplicatesRoute(store, pages, { closing, logger }),
    backupRoute(canBackUp ? config.databaseUrl : undefined, logger),
    ...(metrics === undefined ? [] : [metricsRoute(metrics, store)]),
  ];
  return ({ lookUp, ...live }) => {
    const routes = [...access, ...lists, ...(lookUp === undefined ? [] : [isbnRoute(lookUp)]), ...others].map(
      (route): Route => ({ ...route, isTokenOptional: route.isRead === true && live.publicRead }),
    );
    routes.push(
      documentRoute(() => routes.filter(isDocumented), {
        acceptBearer: config.acceptBearer,
        hasAuthorize: authorize !== undefined,
        isCrossOrigin: corsOrigins.length > 0,
      }),
    );
    if (config.page)
      routes.push(
        // Rights tell users apart, too.
        ...pageRoutes({
          ...config,
          ...live,
          hasUsers: hasUsers(config) || authorize !== undefined,
          hasOwnLogin: tokens !== undefined,
          showsBooks: live.publicRead && authorize === undefined,
          canChangePassword: storePassword !== undefined,
          canChangeSettings: settings !== undefined,
          canLookUp: lookUp !== undefined,
          store,
          pages: anonymous,
        }),
      );
    const known = routes.filter(({ isForBrowsers }) => isForBrowsers !== true);
    routes.push(...optionsRoutes(known, corsOrigins.length > 0));
    return routes;
  };
}

function timeOf(seconds: number | undefined): Date | null {
  return seconds === undefined ? null : new Date(seconds * 1000);
}

function isDocumented(route: Route): route is Route & Endpoint {
  return route.operation !== undefined;
}

/** A route that the store of this service cannot serve. */
function notImplemented(route: Route): Route {
  return {
    ...route,
    ...(route.operation && { operation: { ...route.operation, errors: ['not_implemented'] } }),
    handle: () => Promise.reject(new ShelflistError('not_implemented')),
  };
}

interface Match<Served> {
  readonly route: Served;
  /** The value of `{id}` or `{batch}`, or the path that a browser gets a page for instead of a 404; else `undefined`. */
  readonly id: string | undefined;
}

/**
 * @param isNavigation Whether a browser shows the answer to a reader.
 * @throws {ShelflistError} `not_found`, or `method_not_allowed` with `Allow`.
 */
export type Router<Served> = (
  method: string,
  path: string,
  accept?: string,
  isNavigation?: boolean,
) => Match<Served>;

/** Whether `Accept` names HTML: browsers do, and clients of the API accept anything. */
function acceptsHtml(accept = ''): boolean {
  return /(^|,)\s*text\/html\s*(;(?!\s*q\s*=\s*0(\.0*)?\s*($|,))[^,]*)?($|,)/i.test(accept);
}

const parameter = /\{[a-z]+\}/;

/**
 * Creates a router with two tables: whole paths, and paths without their second segment, a parameter. A request takes one or
 * two lookups, however many routes there are. The routes of GET also handle HEAD. Those for browsers come last: they cost other
 * requests nothing.
 */
export function createRouter<Served extends Pick<Route, 'method' | 'path' | 'isForBrowsers'>>(
  routes: readonly Served[],
): Router<Served> {
  const whole = new Map<string, Map<string, Served>>();
  const parametric = new Map<string, Map<string, Served>>();
  const pages = new Map<string, Served>();
  for (const route of routes) {
    if (route.isForBrowsers === true) {
      pages.set(route.path, route);
      continue;
    }
    const table = parameter.test(route.path) ? parametric : whole;
    const key = route.path.replace(parameter, '');
    const methods = table.get(key) ?? new Map<string, Served>();
    table.set(key, methods.set(route.method, route));
    if (route.method === 'GET') methods.set('HEAD', route);
  }

  return (method, path, accept, isNavigation = false) => {
    let methods = whole.get(path);
    let id: string | undefined;
    if (methods === undefined) {
      const start = path.indexOf('/', 1) + 1;
      const slash = path.indexOf('/', start);
      const end = slash === -1 ? path.length : slash;
      if (start > 0 && start < end) methods = parametric.get(path.slice(0, start) + path.slice(end));
      if (methods === undefined) {
        const page = pages.get('/');
        const isMissing = !/^\/?$/.test(path);
        // A reader who follows a wrong link gets a page, too. Programs get the envelope.
        if (
          page === undefined ||
          !/^(GET|HEAD)$/.test(method) ||
          !acceptsHtml(accept) ||
          (isMissing && !isNavigation)
        )
          throw new ShelflistError('not_found');
        return { route: page, id: isMissing ? path : undefined };
      }
      id = path.slice(start, end);
    }
    const route = methods.get(method);
    if (route !== undefined) return { route, id };
    throw new HttpError('method_not_allowed', { Allow: [...methods.keys()].join(', ') });
  };
}
