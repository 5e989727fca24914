import type { WatchEvent } from '../../catalogue/changes.ts';
import { followChanges } from '../api/changes.ts';
import { list } from './list/window-of-page.ts';
import { createStore } from './store.ts';

/** Counts the changes that were heard of: what shows one book reads it again. */
export const heard = createStore<{ readonly count: number; readonly id?: number }>({ count: 0 });

/** The pause after a change before the list is read again, in milliseconds: many changes at once are read once. */
const pauseMs = 250;

/** Shows what others change, as long as the page may read. Returns a function that ends this. */
export function followOthers(): () => void {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void list.refresh();
    }, pauseMs);
  };
  const onConnect = () => {
    if (list.state.value.pages.length === 0) return;
    // Something may have changed since the books were read.
    heard.set({ count: heard.value.count + 1 });
    plan();
  };
  const onEvent = (event: WatchEvent) => {
    heard.set({ count: heard.value.count + 1, ...('id' in event && { id: event.id }) });
    plan();
  };
  void followChanges({ onConnect, onEvent }, abort.signal);
  return () => {
    abort.abort();
    clearTimeout(timer);
  };
}
