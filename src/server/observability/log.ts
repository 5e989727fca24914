import type { IncomingMessage, ServerResponse } from 'node:http';
import { wireErrorOf, type ShelflistError } from '../../catalogue/errors.ts';
import type { SettingValues } from '../../config/settings.ts';
import type { Logger } from '../../lib/logger.ts';
import { NotReadyError } from '../../derived/not-ready.ts';
import { readTraceId, type ClientAddress } from '../http/request.ts';

type LogFields = Parameters<Logger['info']>[0];
export type LogLevel = SettingValues['logLevel'];
export type LogFormat = SettingValues['logFormat'];

/** From the most severe to the most frequent. */
const logLevels: readonly LogLevel[] = ['error', 'warn', 'info'];

/** The function of a disabled level. Callers can compare with it to skip the preparation of fields. */
export const silent = (): void => undefined;

/**
 * Creates a logger that writes one line per event, with its time (ISO 8601, UTC): text, or (`json`) an object of `time`,
 * `level`, `message` and the fields. Default output: standard error.
 */
export function createLogger(
  level: LogLevel,
  format: LogFormat,
  write = (line: string): unknown => process.stderr.write(line),
): Logger {
  const line = format === 'json' ? jsonLine : textLine;
  const at = (own: LogLevel): Logger[LogLevel] =>
    logLevels.indexOf(own) > logLevels.indexOf(level)
      ? silent
      : (fields, message) => {
          write(line(own, fields, message));
        };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** Logs nothing. */
export const silentLogger: Logger = { info: silent, warn: silent, error: silent };

/** The default: warnings and errors as text on standard error. */
export const stderrLogger: Logger = createLogger('warn', 'text');

function jsonLine(level: LogLevel, fields: LogFields, message: string): string {
  return `${escape({ time: new Date().toISOString(), level, message, ...fields })}\n`;
}

function textLine(level: LogLevel, fields: LogFields, message: string): string {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const tail = present.map(([name, value]) => ` ${name}=${escape(value)}`).join('');
  return `${new Date().toISOString()} shelflist ${level === 'warn' ? 'warning' : level}: ${escapeControls(message)}${tail}\n`;
}

/** JSON without control characters of terminals, which clients can put into a path. */
function escape(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

/** Escapes what a terminal would obey or show in another order. Line ends and tabs stay. */
function escapeControls(text: string): string {
  return text.replace(
    // eslint-disable-next-line no-control-regex -- it escapes control characters.
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

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
      traceId: readTraceId(request),
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

/** Logs failures of the service and its store. Errors of clients are not logged, and what is not ready yet is no failure. */
export function logError(
  logger: Logger,
  error: ShelflistError,
  request: IncomingMessage,
  requestId: string,
): void {
  if (wireErrorOf(error.code).status < 500 && error.cause === undefined) return;
  const fields = {
    requestId,
    traceId: readTraceId(request),
    method: request.method,
    path: request.url?.split('?', 1)[0],
    code: error.code,
  };
  try {
    if (error instanceof NotReadyError) logger.info(fields, error.message);
    else logger.error({ ...fields, cause: describeCause(error) }, error.message);
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
