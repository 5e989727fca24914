import { ShelflistError } from '../../catalogue/errors.ts';

/**
 * An answer is still being computed: `unavailable`, with a `Retry-After` that is true. The service works as it should, so it logs
 * this as information and not as an error.
 */
export class NotReadyError extends ShelflistError {
  /** @param seconds When the answer will be ready. */
  constructor(message: string, seconds: number) {
    super('unavailable', { message, headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) } });
  }
}
