import { ShelflistError } from '../../errors.ts';
import { withTimeout } from '../../lib/timeout.ts';
import type { BookStore } from '../../store/store.ts';
import { nothing } from '../openapi/schemas.ts';
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
      operation: {
        id: 'getLiveness',
        tag: 'operation',
        summary: 'Whether the process runs',
        description: 'It never touches the store.',
        data: nothing,
      },
      handle: () => ({ data: null }),
    },
    {
      method: 'GET',
      path: '/readyz',
      public: true,
      status: 200,
      message: 'Ready',
      operation: {
        id: 'getReadiness',
        tag: 'operation',
        summary: 'Whether the store answers',
        description: 'The store is given a second.',
        data: nothing,
        errors: ['unavailable'],
      },
      async handle() {
        try {
          await withTimeout(storeLimitMs, store.get(1));
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
