import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../lib/logger.ts';
import { silent } from './log.ts';

/** Tells of a request that is over: its id, and when it began, by `performance.now()`. */
export type LogRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  begun: number,
) => void;

/** A line a request, without its query; `undefined` where nobody reads it. */
export function createRequestLog(logger: Logger): LogRequest | undefined {
  if (logger.info === silent) return undefined;
  return (request, response, requestId, begun) => {
    const fields = {
      requestId,
      method: request.method,
      path: request.url?.split('?', 1)[0],
      // A client that went away before its answer got none.
      status: response.headersSent ? response.statusCode : undefined,
      durationMs: Math.round((performance.now() - begun) * 1000) / 1000,
    };
    try {
      logger.info(fields, 'request');
    } catch {
      // The caller's own logger: what it cannot do is its own affair.
    }
  };
}
