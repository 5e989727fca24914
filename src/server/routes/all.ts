import type { Attempts } from '../../auth/attempts.ts';
import { createCredentialCheck } from '../../auth/credentials.ts';
import type { Tokens } from '../../auth/tokens.ts';
import type { BookStore } from '../../store/store.ts';
import type { CheckedConfig } from '../config.ts';
import { preflightRoutes } from '../cors.ts';
import type { Metrics } from '../metrics.ts';
import type { Route } from '../route.ts';
import { bookRoutes } from './books.ts';
import { documentRoutes } from './document.ts';
import { healthRoutes } from './health.ts';
import { metricsRoutes } from './metrics.ts';
import { tokenRoutes } from './token.ts';

/** What the endpoints are made of. */
interface Parts {
  store: BookStore;
  tokens: Tokens;
  attempts: Attempts;
  /** Missing where nothing is to be counted. */
  metrics: Metrics | undefined;
}

/** Every endpoint of a service: the table that serves, and that `GET /openapi.json` is made from. */
export function allRoutes(
  { authUsername: username, authPassword: password, corsOrigins }: CheckedConfig,
  { store, tokens, attempts, metrics }: Parts,
): Route[] {
  const routes: Route[] = [
    ...healthRoutes(store),
    ...tokenRoutes(createCredentialCheck({ username, password }), attempts, tokens),
    ...bookRoutes(store),
    ...(metrics === undefined ? [] : metricsRoutes(metrics)),
    ...documentRoutes(() => routes),
  ];
  if (corsOrigins.length > 0) routes.push(...preflightRoutes(routes));
  return routes;
}
