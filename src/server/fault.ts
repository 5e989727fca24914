import type { IncomingMessage } from 'node:http';
import type { ShelflistError } from '../errors.ts';
import type { Logger } from '../lib/logger.ts';

/** Reports what is the service's own fault or its store's; a client's mistake is answered and not logged. */
export function logFault(
  logger: Logger,
  error: ShelflistError,
  request: IncomingMessage,
  requestId: string,
): void {
  if (error.status < 500 && error.cause === undefined) return;
  const fields = { requestId, method: request.method, path: request.url?.split('?', 1)[0], code: error.code };
  try {
    logger.error({ ...fields, cause: describeCause(error) }, error.message);
  } catch {
    // The caller's own logger: what it cannot do must not keep a request from its answer.
  }
}

/** A foreseen failure says why, down to its root; for an unforeseen one, whoever mends it needs to know where. */
function describeCause({ code, cause }: ShelflistError): string | undefined {
  if (cause === undefined) return undefined;
  if (!(cause instanceof Error)) return 'not an Error';
  if (code === 'internal') return cause.stack ?? cause.message;
  const reasons: string[] = [];
  for (let error: unknown = cause; error instanceof Error; error = error.cause) {
    reasons.push(`${error.name}: ${error.message}`);
  }
  return reasons.join(', because of ');
}
