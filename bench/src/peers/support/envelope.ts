import type { Fields } from '../books/books.ts';

/** The answers, in the shape of ours. */
export const wrap = (status: number, message: string, data: unknown) => ({ status, message, data });
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
