import { ShelflistError, type ErrorCode } from '../catalogue/errors.ts';
import { ConfigError } from '../config/config-error.ts';
import { plainLines, withProgramName, type Io } from './io.ts';

/**
 * Why a command fails by itself, without an error of the service or the store. `usage`: the command line is malformed; `failed`:
 * for the reason in the message; `interrupted`: by Ctrl-C; `not_logged_in`: it has no usable token.
 */
export type CommandErrorCode = (typeof commandErrorCodes)[number];
const commandErrorCodes = ['usage', 'failed', 'interrupted', 'not_logged_in'] as const;

/** An expected failure of a command. Those of the library are a `ShelflistError`, those of settings a `ConfigError`. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, { message, cause }: { message: string; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** An expected failure: its message is written for the user. */
export type Failure = ShelflistError | ConfigError | CommandError;

export function isFailure(error: unknown): error is Failure {
  return [ShelflistError, ConfigError, CommandError].some((each) => error instanceof each);
}

/** Turns any error into a failure; the code of an unexpected one is `failed`. */
export function asFailure(error: unknown): Failure {
  if (isFailure(error)) return error;
  return new CommandError('failed', { message: error instanceof Error ? error.message : String(error) });
}

/** The message for the user, with advice if the service says how long to wait. */
export function messageOf(io: Io, failure: Failure): string {
  const seconds = failure instanceof ShelflistError ? failure.retryAfter : undefined;
  const advice = seconds === undefined ? '' : ` (try again in ${seconds} s)`;
  return plainLines(withProgramName(io, failure.message)) + advice;
}

/** A code that `--json` shows for a failure. */
export type FailureCode = Failure['code'];

/** Recreates a failure that another process reported. */
export function createFailure(code: FailureCode, message: string): Failure {
  if (code === 'config') return new ConfigError(message);
  const own = commandErrorCodes.find((known) => known === code);
  return own === undefined
    ? new ShelflistError(code as ErrorCode, { message })
    : new CommandError(own, { message });
}

/** The same failure with another message. */
export function withMessage(failure: Failure, message: string): Failure {
  if (failure instanceof ConfigError) return new ConfigError(message, { cause: failure });
  if (failure instanceof CommandError) return new CommandError(failure.code, { message, cause: failure });
  const { code, retryAfter, progress, requestId } = failure;
  return new ShelflistError(code, { message, retryAfter, progress, requestId, cause: failure });
}
