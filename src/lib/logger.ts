/** Receives the events of a service. Any logger with the interface of pino works. The fields never contain a token, a password or a body. */
export interface Logger {
  /** Receives each request. */
  info(fields: Readonly<Record<string, string | number | undefined>>, message: string): void;
  /** Receives what may need attention. */
  warn(fields: Readonly<Record<string, string | number | undefined>>, message: string): void;
  /** Receives failures of the service and of its store. */
  error(fields: Readonly<Record<string, string | number | undefined>>, message: string): void;
}
