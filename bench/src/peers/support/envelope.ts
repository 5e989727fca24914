import type { Book, Fields } from '../books/books.ts';

/** The responses of all peers, in the envelope of shelflist. */
export interface Envelope {
  readonly status: 200 | 201 | 401 | 404;
  readonly message: string;
  readonly data: unknown;
}

export function wrap(status: Envelope['status'], message: string, data: unknown): Envelope {
  return { status, message, data };
}

/** Wraps a book, or the error that it does not exist. */
export function wrapFound(message: string, book: Book | undefined): Envelope {
  return book === undefined ? wrap(404, messages.missing, null) : wrap(200, message, book);
}

export const messages = {
  get: 'Book retrieved successfully',
  list: 'Books retrieved successfully',
  create: 'Book created successfully',
  update: 'Book updated successfully',
  login: 'Token generated successfully',
  missing: 'Book not found',
  refused: 'Invalid token',
} as const;

/** The body of a request; the peers do not check it. */
export type Body = Fields & { username: string; password: string };
