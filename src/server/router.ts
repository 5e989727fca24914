import { ShelflistError } from '../errors.ts';
import type { Route } from './route.ts';

export interface Match<Served> {
  readonly route: Served;
  /** What stands in the place of `{id}`; `undefined` on a route that has none. */
  readonly id: string | undefined;
}

/** @throws {ShelflistError} `not_found`, or `method_not_allowed` with `Allow`. */
export type Router<Served> = (method: string, path: string) => Match<Served>;

const idSegment = '{id}';

/**
 * Two tables: whole paths, and paths up to a last segment that is an id. A request costs one or two look-ups
 * however many routes there are. HEAD goes where GET does.
 */
export function createRouter<Served extends Pick<Route, 'method' | 'path'>>(
  routes: readonly Served[],
): Router<Served> {
  const whole = new Map<string, Map<string, Served>>();
  const parents = new Map<string, Map<string, Served>>();
  for (const route of routes) {
    const hasId = route.path.endsWith(idSegment);
    const table = hasId ? parents : whole;
    const key = hasId ? route.path.slice(0, -idSegment.length) : route.path;
    const methods = table.get(key) ?? new Map<string, Served>();
    table.set(key, methods.set(route.method, route));
    if (route.method === 'GET') methods.set('HEAD', route);
  }

  return (method, path) => {
    let methods = whole.get(path);
    let id: string | undefined;
    if (methods === undefined) {
      const slash = path.lastIndexOf('/') + 1;
      if (slash < path.length) methods = parents.get(path.slice(0, slash));
      if (methods === undefined) throw new ShelflistError('not_found');
      id = path.slice(slash);
    }
    const route = methods.get(method);
    if (route !== undefined) return { route, id };
    throw new ShelflistError('method_not_allowed', { headers: { Allow: [...methods.keys()].join(', ') } });
  };
}
