import { isbnParameters } from '../../api/queries.ts';
import { readQuery } from '../../api/query-string.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { parseIsbn } from '../../catalogue/isbn.ts';
import type { LookUp } from '../../lookup/look-up.ts';
import { route, type Route } from './route.ts';

/** `GET /lookup`. */
export function isbnRoute(lookUp: LookUp): Route {
  return route('lookUpIsbn', {
    document: {
      tag: 'books',
      summary: 'Look a book up by its ISBN',
      description:
        'Asks the source that the service is configured for (`BOOK_LOOKUP`), at most once a day for a number. Stores nothing. ' +
        'Without that setting, the path does not exist.',
      parameters: {
        isbn: [
          'An ISBN of 10 or 13 digits, with or without hyphens and spaces.',
          { examples: ['9780141439587'] },
        ],
      },
    },
    async handle(call) {
      const { isbn = '' } = readQuery(call.query, isbnParameters);
      const number = parseIsbn(isbn);
      if (number === undefined)
        throw new ShelflistError('invalid_query', {
          message: '"isbn": not an ISBN of 10 or 13 digits, or its check digit is wrong',
        });
      const data = await lookUp(number);
      if (data !== undefined) return { data };
      throw new ShelflistError('book_not_found', { message: `no book is known with the ISBN ${number}` });
    },
  });
}
