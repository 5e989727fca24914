/** The fields of an event. They never contain a token, a password or a body. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

/** Receives the events of a service. Any logger with the interface of pino works. */
export interface Logger {
  /** Receives each request. */
  info(fields: LogFields, message: string): void;
  /** Receives what may need attention. */
  warn(fields: LogFields, message: string): void;
  /** Receives failures of the service and of its store. */
  error(fields: LogFields, message: string): void;
}
