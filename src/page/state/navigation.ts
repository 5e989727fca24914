import { parseId } from '../../catalogue/book.ts';
import { type DuplicateLevel, duplicateLevels } from '../../catalogue/duplicate-levels.ts';
import { pageParameters, type PageQuery } from '../../api/queries.ts';
import { formatQuery, readValue } from '../../api/query-string.ts';
import type { Shape } from '../../api/shapes.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { createSignal, type Signal } from './signal.ts';
import { type View as OtherView, views } from '../../api/page-address.ts';

/** The list, or another view. */
export type View = 'list' | OtherView;

/** What the page shows. All of it is in the query string of the address. */
export interface Route {
  readonly view: View;
  /** The books that are listed or counted. */
  readonly query: BookQuery;
  /** The book that is open. */
  readonly book?: number | undefined;
  /** What counts as a duplicate. */
  readonly level?: DuplicateLevel;
  /** Whether words that find nothing are not corrected. */
  readonly isExact?: boolean;
}

export const home: Route = { view: 'list', query: {} };

/** The parameters of a page of the list: positions within it are not part of an address. */
const ofPages = ['limit', 'after', 'count'];
const queryNames = Object.keys(pageParameters).filter((name) => !ofPages.includes(name));

/** Reads a query string. Ignores unknown and invalid parameters, so that old links still work. */
export function parseRoute(search: string): Route {
  const given = new URLSearchParams(search);
  const query = Object.fromEntries(
    queryNames.flatMap((name) => {
      const text = given.get(name);
      const parameter: Shape = pageParameters[name as keyof PageQuery];
      const value = text === null ? undefined : readValue(parameter, text);
      return value === undefined || value === '' ? [] : [[name, value] as const];
    }),
  ) as BookQuery;
  const book = parseId(given.get('book') ?? '');
  const view = views.find((each) => each === given.get('view')) ?? 'list';
  const level = duplicateLevels.find((each) => each === given.get('level'));
  return {
    ...{ view, query },
    ...(book !== undefined && { book }),
    ...(level !== undefined && { level }),
    ...(given.get('exact') === 'true' && { isExact: true }),
  };
}

/** The address of a route, relative to the page. */
export function formatRoute({ view, query, book, level, isExact }: Route): string {
  const parts = [
    ...(view === 'list' ? [] : [`view=${view}`]),
    ...(level === undefined ? [] : [`level=${level}`]),
    formatQuery(query, pageParameters),
    ...(isExact === true ? ['exact=true'] : []),
    ...(book === undefined ? [] : [`book=${book}`]),
  ].filter(Boolean);
  return parts.length === 0 ? './' : `./?${parts.join('&')}`;
}

/** Members of a query to replace; `undefined` removes one. */
export type QueryChanges = { readonly [Name in keyof BookQuery]?: BookQuery[Name] | undefined };

/** A query with some members replaced; those that are empty or `undefined` are removed. */
export function changeQuery(query: BookQuery, changes: QueryChanges): BookQuery {
  const entries = Object.entries({ ...query, ...changes });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''));
}

const current = createSignal(parseRoute(location.search));

/** The route in the address bar. */
export const route: Pick<Signal<Route>, 'value' | 'subscribe' | 'set'> = current;

/** A dialog over the page, besides that of a book. */
type DialogName = 'add' | 'help' | 'password' | 'share';

/** What the page keeps in an entry of the history. */
interface Entry {
  /** Whether the page has made it. */
  readonly isOwn?: boolean;
  readonly dialog?: DialogName;
}

const entry = () => (history.state ?? {}) as Entry;
const shownDialog = createSignal(entry().dialog);

/** The open dialog. It is an entry of the history: Back closes it, and a reload leaves it open. */
export const dialog: Pick<Signal<DialogName | undefined>, 'value' | 'subscribe' | 'set'> = shownDialog;

/** Whether Back or Forward has led to the route. */
let isTraversed = false;

export function hasTraversed(): boolean {
  return isTraversed;
}

/** The changes of the history that wait while the page goes back: the browser takes a moment, and would undo them. */
let waiting: (() => void)[] | undefined;

const isGoingBack = () => waiting !== undefined;

function changeHistory(change: () => void): void {
  if (waiting === undefined) change();
  else waiting.push(change);
}

function goBack(): void {
  waiting = [];
  history.back();
}

export function openDialog(name: DialogName): void {
  const state: Entry = { isOwn: true, dialog: name };
  changeHistory(() => {
    history.pushState(state, '');
  });
  shownDialog.set(name);
}

export function closeDialog(): void {
  shownDialog.set(undefined);
  changeHistory(() => {
    if (entry().dialog !== undefined) goBack();
  });
}

addEventListener('popstate', () => {
  const changes = waiting ?? [];
  waiting = undefined;
  for (const change of changes) changeHistory(change);
  if (isGoingBack()) return; // One of them goes back again.
  shownDialog.set(entry().dialog);
  isTraversed = true;
  current.set(parseRoute(location.search));
});

/**
 * Goes to a route: a new entry of the history, unless it replaces the present one, as while somebody types, or looks at one book after
 * another: Back closes the last one.
 */
export function navigate(
  next: Route,
  how: 'push' | 'replace' = next.book !== undefined && current.value.book !== undefined ? 'replace' : 'push',
): void {
  const address = formatRoute(next);
  if (address === formatRoute(current.value)) return;
  changeHistory(() => {
    if (how === 'push') history.pushState({ isOwn: true }, '', address);
    else history.replaceState(history.state, '', address);
  });
  isTraversed = false;
  current.set(next);
}

/** Opens a book over the view. */
export function openBook(book: number): void {
  navigate({ ...current.value, book });
}

/** Closes the open book: goes back if the page opened it, so that Back does not open it again. */
export function closeBook(): void {
  changeHistory(() => {
    if (parseRoute(location.search).book === undefined) return;
    if (entry().isOwn === true) goBack();
    else navigate({ ...current.value, book: undefined }, 'replace');
  });
}
