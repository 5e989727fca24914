import type { WatchEvent } from '../../catalogue/live/change-frames.ts';
import { coalesce } from '../../lib/coalesce.ts';
import type { BookStore } from '../../store/store.ts';

/** How often the store is asked for changes, and how long the pause after a failure is, in milliseconds. */
const pollMs = 100;
const retryMs = 500;

/**
 * Announces every change of a store from now on, one by one, to a function that does not throw. It has no limits, unlike the
 * feed, whose readers may be slow or strangers.
 *
 * @returns A function that ends it. The changes acknowledged before that call are announced first.
 */
export async function announceChanges(
  store: BookStore,
  announce: (event: WatchEvent) => void,
): Promise<() => Promise<void>> {
  let position: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const poll = coalesce(async () => {
    for (;;) {
      const isFirst = position === undefined;
      const answer = await store.events(position);
      ({ position } = answer);
      if (isFirst) return;
      const events = answer.events ?? [{ position, reset: true as const }];
      for (const event of events) announce({ ...event });
      if (answer.isCurrent) return;
    }
  });
  const schedule = (ms: number) => {
    if (isEnded) return;
    timer = setTimeout(() => {
      poll().then(
        () => {
          schedule(pollMs);
        },
        () => {
          schedule(retryMs); // The log has the failures of requests.
        },
      );
    }, ms).unref();
  };
  await poll().catch(() => undefined);
  schedule(pollMs);
  return async () => {
    isEnded = true;
    clearTimeout(timer);
    await poll().catch(() => undefined);
  };
}
