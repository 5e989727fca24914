import type { LogFields, Logger } from '../lib/logger.ts';

/** From the gravest to what is told of every request. */
const logLevels = ['error', 'warn', 'info'] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFormat = 'text' | 'json';

/** What a logger has in the place of a level that it leaves out: then nobody need gather the facts. */
export const silent = (): void => undefined;

/**
 * A logger that writes a line an event, to standard error unless told otherwise: for people, or (`json`) an
 * object of `time` (ISO 8601, UTC), `level`, `message` and the fields.
 */
export function createLogger(
  level: LogLevel,
  format: LogFormat,
  write = (line: string): unknown => process.stderr.write(line),
): Logger {
  const line = format === 'json' ? jsonLine : textLine;
  const at = (its: LogLevel): Logger[LogLevel] =>
    logLevels.indexOf(its) > logLevels.indexOf(level)
      ? silent
      : (fields, message) => {
          write(line(its, fields, message));
        };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** The default: warnings and errors, a line each, on standard error. */
export const stderrLogger: Logger = createLogger('warn', 'text');

function jsonLine(level: LogLevel, fields: LogFields, message: string): string {
  return `${escape({ time: new Date().toISOString(), level, message, ...fields })}\n`;
}

function textLine(level: LogLevel, fields: LogFields, message: string): string {
  const facts = Object.entries(fields).filter(([, value]) => value !== undefined);
  const tail = facts.map(([name, value]) => ` ${name}=${escape(value)}`).join('');
  return `shelflist ${level === 'warn' ? 'warning' : level}: ${message}${tail}\n`;
}

/** JSON without what could steer a terminal: any stranger can put that into a path. */
function escape(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
