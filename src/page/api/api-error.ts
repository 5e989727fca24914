import { wireErrorCode, type WireErrorCode } from '../../catalogue/errors.ts';

/** Failures that are not answers of the service: nothing answered, or something else did. */
type LocalCode = 'unreachable' | 'bad_response';

/** A request that failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: WireErrorCode | LocalCode;
  /** The HTTP status; 0 if nothing answered. */
  readonly status: number;
  /** When to try again, if the service said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, retryAfter: string | null = null) {
    super(message);
    this.status = status;
    this.code = wireErrorCode(status, message) ?? (status === 0 ? 'unreachable' : 'bad_response');
    const seconds = Number(retryAfter ?? undefined);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }
}

/** Whether an error is the end of a request that the page itself gave up. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** An error of any kind as one of the API. @throws What is a fault of the page. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
