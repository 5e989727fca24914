import type { CommanderError } from 'commander';
import { version } from '../../package.json';
import { ShelflistError } from '../errors.ts';
import { plainLines, type Io } from './io.ts';
import { misuseText } from './misuse.ts';

/**
 * Runs one command line. Never throws and never ends the process.
 *
 * @param argv Without the names of node and of the script.
 * @returns The exit status: 0 done, 1 failed, 2 usage, 3 not found, 4 not logged in or refused, 5 server or
 * network, 130 interrupted.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const output = watchOutput(io);
  const asJson = argv.includes('--json');
  try {
    await run(argv, io, asJson);
    await output.written();
    return 0;
  } catch (error) {
    return report(io, error, asJson);
  }
}

async function run(argv: readonly string[], io: Io, asJson: boolean): Promise<void> {
  if (argv[0] === '--version' || argv[0] === '-V') {
    io.stdout.write(`${version}\n`); // Scripts ask for it, and it needs nothing of what is loaded below.
    return;
  }
  const { createProgram } = await import('./program.ts');
  try {
    const program = await createProgram(argv, io, { quiet: asJson });
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!isCommanderError(error) || error.exitCode !== 0) throw error; // --help ends this way too.
  }
}

function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && error.name === 'CommanderError';
}

/** Says what went wrong, on standard error, and gives the exit status for it. */
function report(io: Io, error: unknown, asJson: boolean): number {
  if (isCommanderError(error) && !asJson) return 2; // It has printed its own message.
  const known = error instanceof ShelflistError ? error : rename(error);
  const { code } = known;
  const message = plainLines(known.message) + retryAdvice(known);
  io.stderr.write(asJson ? `${JSON.stringify({ error: { code, message } })}\n` : `shelflist: ${message}\n`);
  return known.exitCode;
}

/** When the service says how long to wait. What nobody answered carries a default that nobody has said. */
function retryAdvice({ code, headers }: ShelflistError): string {
  const seconds = code === 'unreachable' ? '' : (headers['Retry-After'] ?? '');
  return /^[0-9]{1,6}$/.test(seconds) ? ` (try again in ${seconds} s)` : '';
}

function rename(error: unknown): ShelflistError {
  const message = error instanceof Error ? error.message : String(error);
  return isCommanderError(error)
    ? new ShelflistError('usage', { message: misuseText(message) })
    : new ShelflistError('failed', { message });
}

interface Output {
  /** Ends when all that was written is out. @throws {ShelflistError} `failed`: the disk is full, for example. */
  written(): Promise<void>;
}

function watchOutput({ stdout, stderr }: Io): Output {
  let failure: NodeJS.ErrnoException | undefined;
  stdout.on('error', (error: NodeJS.ErrnoException) => (failure ??= error));
  stderr.on('error', () => undefined); // Nobody listens any more, so nobody can be told.
  return {
    async written() {
      await new Promise((resolve) => stdout.write('', resolve));
      // A reader that went away (`| head`) has what it wanted: nothing is wrong.
      if (failure === undefined || failure.code === 'EPIPE') return;
      throw new ShelflistError('failed', {
        message: `cannot write to standard output (${failure.code ?? 'unknown reason'})`,
      });
    },
  };
}
