import { formatRoute, parseRoute, type Route } from './route.ts';
import { createStore, type Store } from './store.ts';

const current = createStore(parseRoute(location.search));

/** The route in the address bar. */
export const route: Pick<Store<Route>, 'value' | 'subscribe' | 'set'> = current;

addEventListener('popstate', () => {
  current.set(parseRoute(location.search));
});

/** Goes to a route: a new entry of the history, unless it replaces the present one, as while somebody types. */
export function navigate(next: Route, how: 'push' | 'replace' = 'push'): void {
  const address = formatRoute(next);
  if (address === formatRoute(current.value)) return;
  if (how === 'push') history.pushState({ isOwn: true }, '', address);
  else history.replaceState(history.state, '', address);
  current.set(next);
}

/** Opens a book over the view. */
export function openBook(book: number): void {
  navigate({ ...current.value, book });
}

/** Closes the open book: goes back if the page opened it, so that Back does not open it again. */
export function closeBook(): void {
  const state = history.state as { isOwn?: boolean } | null;
  if (state?.isOwn === true) history.back();
  else navigate({ ...current.value, book: undefined }, 'replace');
}
