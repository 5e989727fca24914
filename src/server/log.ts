/** Facts that belong to an event. Never a token, a password or a body. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

/** Where the service reports to. Loggers of the pino family fit as they are. */
export interface Logger {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/** The default: warnings and errors, a line each, on standard error. */
export const stderrLogger: Logger = {
  info: () => undefined,
  warn: (fields, message) => {
    write('warning', fields, message);
  },
  error: (fields, message) => {
    write('error', fields, message);
  },
};

function write(level: string, fields: LogFields, message: string): void {
  const facts = Object.entries(fields).filter(([, value]) => value !== undefined);
  const tail = facts.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).join('');
  process.stderr.write(`shelflist ${level}: ${message}${tail}\n`);
}
