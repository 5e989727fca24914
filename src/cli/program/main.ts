import type { CommanderError } from 'commander';
import { version } from '../../../package.json';
import { asFailure, CommandError, messageOf, type FailureCode } from '../command-error.ts';
import type { Io } from '../io.ts';

/**
 * Runs one command line. Never throws and never ends the process.
 *
 * @param argv Without the names of node and of the script.
 * @returns The exit status: 0 done, 1 failed, 2 usage, 3 not found, 4 not logged in or refused, 5 service or
 * network, 130 interrupted by whatever signal.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const output = watchOutput(io);
  const asJson = argv.some((word) => /^--json(?:=|$)/.test(word));
  try {
    await run(argv, io);
    await output.written();
    return 0;
  } catch (error) {
    return report(io, error, asJson);
  }
}

async function run(argv: readonly string[], io: Io): Promise<void> {
  if (argv[0] === '--version' || argv[0] === '-V') {
    io.stdout.write(`${version}\n`);
    return;
  }
  const { createProgram } = await import('./program.ts');
  try {
    const program = await createProgram(argv, io);
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!isCommanderError(error) || error.exitCode !== 0) throw error; // --help throws, too.
  }
}

function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}

/** Writes an error to standard error, and returns its exit status. */
function report(io: Io, error: unknown, asJson: boolean): number {
  if (isCommanderError(error)) return 2; // It has shown the help instead.
  const failure = asFailure(error);
  const { code } = failure;
  const message = messageOf(io, failure);
  io.stderr.write(asJson ? `${JSON.stringify({ error: { code, message } })}\n` : `shelflist: ${message}\n`);
  return exitStatuses[code];
}

interface Output {
  /** Resolves when all output is written. @throws {CommandError} `failed`: the disk is full, for example. */
  written(): Promise<void>;
}

function watchOutput({ stdout, stderr }: Io): Output {
  let failure: NodeJS.ErrnoException | undefined;
  stdout.on('error', (error: NodeJS.ErrnoException) => (failure ??= error));
  stderr.on('error', () => undefined); // The reader has gone.
  return {
    async written() {
      await new Promise((resolve) => stdout.write('', resolve));
      // A reader that stops early (`| head`) is not an error.
      if (failure === undefined || failure.code === 'EPIPE') return;
      throw new CommandError('failed', {
        message: `cannot write to standard output (${failure.code ?? 'unknown reason'})`,
      });
    },
  };
}

/** The exit status of a command that fails with an error: 1 failed, 2 usage, 3 not found, 4 refused, 5 service. */
export const exitStatuses: Readonly<Record<FailureCode, number>> = {
  bad_request: 1,
  invalid_input: 1,
  invalid_payload: 1,
  invalid_query: 1,
  invalid_credentials: 4,
  token_required: 4,
  invalid_token: 4,
  forbidden: 4,
  book_not_found: 3,
  not_found: 5,
  batch_not_found: 3,
  method_not_allowed: 5,
  request_timeout: 5,
  request_in_progress: 5,
  precondition_failed: 1,
  body_too_large: 1,
  unsupported_encoding: 1,
  expectation_failed: 1,
  key_reused: 1,
  too_many_attempts: 4,
  too_many_requests: 5,
  headers_too_large: 1,
  token_not_signed: 5,
  internal: 5,
  not_implemented: 5,
  unavailable: 5,
  config: 1,
  store_unusable: 1,
  store_damaged: 5,
  store_closed: 5,
  unreachable: 5,
  timeout: 5,
  bad_response: 5,
  not_logged_in: 4,
  usage: 2,
  failed: 1,
  interrupted: 130,
};
