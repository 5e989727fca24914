import type { JSX } from 'preact';
import { createStore } from '../state/store.ts';
import { useStore } from '../hooks/use-store.ts';

const message = createStore('');
let timer: ReturnType<typeof setTimeout> | undefined;

/** The pause before a message, in milliseconds: of many in a row, only the last is spoken. */
const pauseMs = 400;

/** Says something to users of screen readers, when they have a moment. */
export function announce(text: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    // The same text again would not be noticed.
    message.set(message.value === text ? `${text}\u00a0` : text);
  }, pauseMs);
}

/** The place of what is announced. It is never seen. */
export function LiveRegion(): JSX.Element {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {useStore(message)}
    </div>
  );
}
