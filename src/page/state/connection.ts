import { createStore } from './store.ts';

/** Whether the service can be reached, as the last request and the browser say. */
export const isOnline = createStore(navigator.onLine);

addEventListener('offline', () => {
  isOnline.set(false);
});
addEventListener('online', () => {
  isOnline.set(true);
});
