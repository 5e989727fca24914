import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ShelflistError } from '../../catalogue/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { silent } from './create-logger.ts';

/** Logs a finished request. `begun` is its start, by `performance.now()`. */
export type LogAccess = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  begun: number,
) => void;

/** Logs one line per request, without its query. Returns `undefined` if the logger is silent. */
export function createAccessLog(logger: Logger, addressOf: ClientAddress): LogAccess | undefined {
  if (logger.info === silent) return undefined;
  return (request, response, requestId, begun) => {
    const fields = {
      requestId,
      address: addressOf(request),
      method: request.method,
      path: request.url?.split('?', 1)[0],
      // None if the client disconnected before the response.
      status: response.headersSent ? response.statusCode : undefined,
      durationMs: Math.round((performance.now() - begun) * 1000) / 1000,
    };
    try {
      logger.info(fields, 'request');
    } catch {
      // A failing logger of an embedder must not affect the service.
    }
  };
}

/** Logs failures of the service and its store. Errors of clients are not logged. */
export function logError(
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
    // A failing logger of an embedder must not affect the response.
  }
}

/** The stack of an unexpected failure; the chain of reasons of any other. */
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
