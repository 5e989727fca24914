import { duplicateLevels } from '../../catalogue/duplicates/duplicates.ts';
import { maxLimit } from '../../catalogue/query-string.ts';
import type { BookStore } from '../../store/store.ts';
import { listDuplicates } from '../books/duplicates/duplicate-listing.ts';
import { DuplicateReader } from '../books/duplicates/duplicate-reader.ts';
import { ref } from '../openapi/schemas.ts';
import type { Route } from '../route.ts';

/** @param closing Aborted when the service closes. */
export function duplicatesRoute(store: BookStore, closing: AbortSignal): Route {
  const reader = new DuplicateReader(store, { closing });
  return {
    method: 'GET',
    path: '/duplicates',
    isLong: true,
    action: 'list',
    status: 200,
    message: 'Duplicates retrieved successfully',
    operation: {
      id: 'listDuplicates',
      tag: 'books',
      summary: 'List duplicates',
      description:
        'Groups of at least two books, each by id; a book is in at most one group. The groups are in the order of ' +
        'their first ids. With `limit`, the response is a page. A 503 can mean that the books are still being compared; ' +
        'a later request gets the result.',
      parameters: [
        {
          name: 'level',
          in: 'query',
          description:
            '`same`: all fields are equal without case, accents, spacing and punctuation. `year`: the same, whatever the ' +
            'years. `typo`: as `same`, but for one typing error in the title or the author, or a year that is 0.',
          schema: { type: 'string', enum: duplicateLevels, default: 'same' },
        },
        {
          name: 'limit',
          in: 'query',
          description:
            'Page size in groups. `Link` has the address of the next page. Pages of large groups are shorter.',
          schema: { type: 'integer', minimum: 1, maximum: maxLimit },
        },
        {
          name: 'after',
          in: 'query',
          description: 'The cursor in the `Link` of the previous page. It is valid for the same level only.',
          schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
        },
      ],
      data: { type: 'array', items: { type: 'array', items: ref('Book'), minItems: 2 } },
      headers: ['Link'],
      errors: ['invalid_query', 'unavailable'],
    },
    handle: (call) => listDuplicates(reader, call),
  };
}
