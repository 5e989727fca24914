import type { Book, Fields } from '../books/books.ts';

/** What all answer, in the shape of ours. */
export interface Envelope {
  readonly status: 200 | 201 | 401 | 404;
  readonly message: string;
  readonly data: unknown;
}

export function wrap(status: Envelope['status'], message: string, data: unknown): Envelope {
  return { status, message, data };
}

/** The answer with a book, or that there is none. */
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

/** What a body may hold; the peers check no more of it than people do. */
export type Body = Fields & { username: string; password: string };
