import { ShelflistError } from '../catalogue/errors.ts';
import type { Route } from './route.ts';

export interface Match<Served> {
  readonly route: Served;
  /** The value of `{id}` or `{batch}`; `undefined` on a route without one. */
  readonly id: string | undefined;
}

/** @throws {ShelflistError} `not_found`, or `method_not_allowed` with `Allow`. */
export type Router<Served> = (method: string, path: string, accept?: string) => Match<Served>;

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

  return (method, path, accept) => {
    let methods = whole.get(path);
    let id: string | undefined;
    if (methods === undefined) {
      const start = path.indexOf('/', 1) + 1;
      const slash = path.indexOf('/', start);
      const end = slash === -1 ? path.length : slash;
      if (start > 0 && start < end) methods = parametric.get(path.slice(0, start) + path.slice(end));
      if (methods === undefined) {
        const page = pages.get(path || '/');
        if (page === undefined || !/^(GET|HEAD)$/.test(method) || !acceptsHtml(accept))
          throw new ShelflistError('not_found');
        return { route: page, id };
      }
      id = path.slice(start, end);
    }
    const route = methods.get(method);
    if (route !== undefined) return { route, id };
    throw new ShelflistError('method_not_allowed', { headers: { Allow: [...methods.keys()].join(', ') } });
  };
}
