import { ShelflistError } from '../../catalogue/errors.ts';
import { withTimeout } from '../../lib/timeout.ts';
import type { BookStore } from '../../store/store.ts';
import { nothing } from '../openapi/schemas.ts';
import type { Route } from '../route.ts';

/** The store must answer within this time. */
const maxStoreMs = 1000;

/** Health checks: `GET /livez` (the process runs) and `GET /readyz` (the store answers). */
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
        description: 'Does not use the store.',
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
        description: 'Waits for the store for at most one second.',
        data: nothing,
        errors: ['unavailable'],
      },
      async handle() {
        try {
          await withTimeout(maxStoreMs, store.get(1));
        } catch (cause) {
          // A damaged book is an answer, too.
          if (!(cause instanceof ShelflistError && cause.code === 'store_damaged'))
            throw new ShelflistError('unavailable', { message: 'the store does not answer', cause });
        }
        return { data: null };
      },
    },
  ];
}
