/** Facts that belong to an event. Never a token, a password or a body. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

/** Where a service reports to. Loggers of the pino family fit as they are. */
export interface Logger {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}
