import { ShelflistError, type ErrorCode } from '../catalogue/errors.ts';

/**
 * Why a command fails by itself, without an error of the service or the store. `usage`: the command line is malformed; `failed`:
 * for the reason in the message; `interrupted`: by Ctrl-C; `not_logged_in`: it has no usable token.
 */
export type CommandErrorCode = (typeof commandErrorCodes)[number];
const commandErrorCodes = ['usage', 'failed', 'interrupted', 'not_logged_in'] as const;

/** An expected failure of a command. Those of the library are a `ShelflistError`. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, { message, cause }: { message: string; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** An expected failure: its message is written for the user. */
export type Failure = ShelflistError | CommandError;

export function isFailure(error: unknown): error is Failure {
  return error instanceof ShelflistError || error instanceof CommandError;
}

/** Turns any error into a failure; the code of an unexpected one is `failed`. */
export function asFailure(error: unknown): Failure {
  if (isFailure(error)) return error;
  return new CommandError('failed', { message: error instanceof Error ? error.message : String(error) });
}

/** A code that `--json` shows for a failure. */
export type FailureCode = ErrorCode | CommandErrorCode;

/** Recreates a failure that another process reported. */
export function createFailure(code: FailureCode, message: string): Failure {
  const own = commandErrorCodes.find((known) => known === code);
  return own === undefined
    ? new ShelflistError(code as ErrorCode, { message })
    : new CommandError(own, { message });
}

/** The same failure with another message. */
export function withMessage(failure: Failure, message: string): Failure {
  if (failure instanceof CommandError) return new CommandError(failure.code, { message, cause: failure });
  const { code, headers, requestId } = failure;
  return new ShelflistError(code, { message, headers, requestId, cause: failure });
}
