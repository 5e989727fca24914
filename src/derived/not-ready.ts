import { ShelflistError } from '../catalogue/errors.ts';

/**
 * An answer is still being computed: `unavailable`, with a `Retry-After` that is true, and its progress. The service works as it
 * should, so it logs this as information and not as an error.
 */
export class NotReadyError extends ShelflistError {
  /**
   * @param seconds When the answer will be ready.
   * @param percent The part that is done.
   */
  constructor(message: string, seconds: number, percent: number) {
    super('unavailable', {
      message,
      retryAfter: Math.max(1, Math.ceil(seconds)),
      progress: percent,
    });
  }
}
