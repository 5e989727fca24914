import { ShelflistError } from '../../catalogue/errors.ts';

/** Whether an error is the end of a request that the page itself gave up. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** An error of a request. @throws What is a fault of the page. */
export function asServiceError(error: unknown): ShelflistError {
  if (error instanceof ShelflistError) return error;
  throw error;
}
