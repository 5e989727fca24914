import { createCredentialCheck } from '../../auth/credentials.ts';
import type { LoginRateLimit } from '../../auth/login-rate-limit.ts';
import type { Tokens } from '../../auth/tokens.ts';
import type { BookStore } from '../../store/store.ts';
import { PageReader, type ReaderFor } from '../books/page-reader.ts';
import { parseUser, type LoginRequest } from '../access.ts';
import type { CheckedConfig } from '../config.ts';
import type { ChangeFeed } from '../live/change-feed.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Route } from '../route.ts';
import { bookRoutes } from './books.ts';
import { changesRoute } from './changes.ts';
import { documentRoute } from './document.ts';
import { duplicatesRoute } from './duplicates.ts';
import { historyRoutes } from './history.ts';
import { healthRoutes } from './health.ts';
import { metricsRoute } from './metrics.ts';
import { pageRoutes } from './page.ts';
import { optionsRoutes } from './options.ts';
import { questionRoutes } from './questions.ts';
import { tokenRoutes } from './token.ts';

/** What the routes need. */
interface Dependencies {
  store: BookStore;
  feed: ChangeFeed;
  tokens: Tokens;
  loginRateLimit: LoginRateLimit;
  /** `undefined` if the service does not serve metrics. */
  metrics: Metrics | undefined;
  /** Aborted when the service closes. */
  closing: AbortSignal;
}

/** The check of a login: that of the embedder, which tells users apart, or of the one accepted pair. */
function createAuthenticate({ authenticate, authUsername = '', authPassword = '' }: CheckedConfig) {
  const isAccepted = createCredentialCheck({ username: authUsername, password: authPassword });
  return async (request: LoginRequest): Promise<{ subject?: string } | undefined> => {
    if (authenticate === undefined) return isAccepted(request) ? {} : undefined;
    const user = parseUser(await authenticate(Object.freeze(request)));
    return user && { subject: user.name };
  };
}

/** Creates the table of routes, from which the router, `Allow`, the OpenAPI document and metrics labels derive. */
export function createRoutes(
  config: CheckedConfig,
  { store, feed, tokens, loginRateLimit, metrics, closing }: Dependencies,
): Route[] {
  const { corsOrigins, publicRead, authorize, logger } = config;
  const pages = new PageReader(store);
  const anonymous = pages.forAnonymous();
  const readerFor: ReaderFor = ({ token }) => (token === '' ? anonymous : pages);
  const routes: Route[] = [
    ...healthRoutes(store),
    ...tokenRoutes({
      authenticate: createAuthenticate(config),
      loginRateLimit,
      tokens,
      onFailure(address) {
        logger.warn({ address }, 'failed login'); // Without the username: people type passwords there by mistake.
        metrics?.countFailedLogin();
      },
    }),
    ...bookRoutes(store, readerFor, config),
    ...questionRoutes(store, readerFor, publicRead),
    changesRoute(feed, publicRead),
    ...historyRoutes(store, pages),
    duplicatesRoute(store, closing),
    ...(metrics === undefined ? [] : [metricsRoute(metrics, store)]),
    documentRoute(() => routes, {
      acceptBearer: config.acceptBearer,
      hasAuthorize: authorize !== undefined,
      isCrossOrigin: corsOrigins.length > 0,
    }),
  ];
  if (config.page) routes.push(...pageRoutes({ ...config, store, pages: anonymous }));
  const known = routes.filter(({ isForBrowsers }) => isForBrowsers !== true);
  routes.push(...optionsRoutes(known, corsOrigins.length > 0));
  return routes;
}
