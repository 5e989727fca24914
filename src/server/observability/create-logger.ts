import type { LogFields, Logger } from '../../lib/logger.ts';

/** From the most severe to the most frequent. */
const logLevels = ['error', 'warn', 'info'] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFormat = 'text' | 'json';

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

/** The default: warnings and errors as text on standard error. */
export const stderrLogger: Logger = createLogger('warn', 'text');

function jsonLine(level: LogLevel, fields: LogFields, message: string): string {
  return `${escape({ time: new Date().toISOString(), level, message, ...fields })}\n`;
}

function textLine(level: LogLevel, fields: LogFields, message: string): string {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const tail = present.map(([name, value]) => ` ${name}=${escape(value)}`).join('');
  return `${new Date().toISOString()} shelflist ${level === 'warn' ? 'warning' : level}: ${message}${tail}\n`;
}

/** JSON without control characters of terminals, which clients can put into a path. */
function escape(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
