import { ShelflistError } from '../../errors.ts';
import { within } from '../../store/deadline.ts';
import type { BookStore } from '../../store/store.ts';
import type { Route } from '../route.ts';

/** How long the store may take to show that it answers. */
const storeLimitMs = 1000;

/** What a supervisor asks: `GET /livez`, whether the process runs, and `GET /readyz`, whether its store answers. */
export function healthRoutes(store: BookStore): Route[] {
  return [
    {
      method: 'GET',
      path: '/livez',
      public: true,
      status: 200,
      message: 'Alive',
      handle: () => ({ data: null }),
    },
    {
      method: 'GET',
      path: '/readyz',
      public: true,
      status: 200,
      message: 'Ready',
      async handle() {
        try {
          await within(storeLimitMs, store.get(1));
        } catch (cause) {
          // A damaged book is an answer: all the others are there.
          if (!(cause instanceof ShelflistError && cause.code === 'store_damaged'))
            throw new ShelflistError('unavailable', { message: 'the store does not answer', cause });
        }
        return { data: null };
      },
    },
  ];
}
