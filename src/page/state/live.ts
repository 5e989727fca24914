import type { FieldName } from '../../catalogue/fields.ts';
import type { ChangeEvent, WatchEvent } from '../../catalogue/changes.ts';
import { pause } from '../../lib/pause.ts';
import { BookWindow } from './list.ts';
import { client, watcher } from './service.ts';
import { createSignal } from './signal.ts';

export const list = new BookWindow(client);

/** The texts of rows of the list, as far as their books are in memory. */
export function textsOf(row: number, count: number, names: readonly FieldName[]): string[][] {
  return Array.from({ length: count }, (_, i) => list.bookAt(row + i))
    .filter((book) => book !== undefined)
    .map((book) => names.map((name) => (book[name] === 0 ? '' : String(book[name]))));
}

/** Counts the changes that were received: views of one book then read it again. */
export const changesReceived = createSignal<{ readonly count: number; readonly event?: ChangeEvent }>({
  count: 0,
});

/** Counts when views of many books read them again. */
export const changed = createSignal(0);

/** The pause after a change before lists are read again, in milliseconds: many changes at once are read once. */
const pauseMs = 250;
/** The number of works in {@link withOneRefresh}. */
let busy = 0;

/** Reads lists again after a change. */
function readAgain(): void {
  if (busy > 0) return;
  changed.set(changed.value + 1);
  void list.refresh();
}

/** Has the browser ask before it leaves a page that still works: a part would be done, and a part not. */
export function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Runs work that makes many changes, after which lists are read again once. The browser asks before it leaves meanwhile. */
export async function withOneRefresh<Result>(work: () => Promise<Result>): Promise<Result> {
  if (busy++ === 0) addEventListener('beforeunload', askToStay);
  try {
    return await work();
  } finally {
    if (--busy === 0) removeEventListener('beforeunload', askToStay);
    readAgain();
  }
}

/** The pause after a connection that failed from the beginning. */
const retryMs = 5000;

/** Follows the changes of others, as long as the page may read. Returns a function that ends this. */
export function followOthers(): () => void {
  let abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      readAgain();
    }, pauseMs);
  };
  const onConnect = () => {
    if (list.state.value.pages.length === 0) return;
    // Something may have changed since the books were read.
    changesReceived.set({ count: changesReceived.value.count + 1 });
    plan();
  };
  const onEvent = (event: WatchEvent) => {
    changesReceived.set({ count: changesReceived.value.count + 1, ...('id' in event && { event }) });
    plan();
  };
  const begin = () => {
    abort.abort();
    abort = new AbortController();
    void follow(onConnect, onEvent, abort.signal);
  };
  addEventListener('online', begin); // The client may be in a long pause.
  begin();
  return () => {
    removeEventListener('online', begin);
    abort.abort();
    clearTimeout(timer);
  };
}

async function follow(
  onConnect: () => void,
  onEvent: (event: WatchEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of watcher.watch({ onConnect, signal })) onEvent(event);
    } catch {
      await pause(retryMs, signal); // The next request of the user shows whether the login has ended.
    }
  }
}
