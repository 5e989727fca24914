import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { ShelflistError } from '../errors.ts';
import { addCommand } from './commands/add.ts';
import { deleteCommand } from './commands/delete.ts';
import { getCommand } from './commands/get.ts';
import { importCommand } from './commands/import.ts';
import { initCommand } from './commands/init.ts';
import { listCommand } from './commands/list.ts';
import { loginCommand } from './commands/login.ts';
import { serveCommand } from './commands/serve.ts';
import { updateCommand } from './commands/update.ts';
import { plainLines, programName, type Io } from './io.ts';

const commands = [
  serveCommand,
  initCommand,
  loginCommand,
  listCommand,
  getCommand,
  addCommand,
  updateCommand,
  deleteCommand,
  importCommand,
];

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
  try {
    await createProgram(io, asJson).parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return; // --help and --version end this way.
    throw error;
  }
}

function createProgram(io: Io, asJson: boolean): Command {
  const program = new Command('shelflist')
    .description('A book catalogue: run the service, and manage its books from here.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help for a command')
    .helpCommand(false) // The built-in one takes any word for a command.
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', startHelp);
  for (const create of commands) program.addCommand(create(io));
  program
    .command('help')
    .description('show help for a command')
    .argument('[command]')
    .action(async (name: string | undefined) => {
      const found = name === undefined ? program : program.commands.find((each) => each.name() === name);
      if (found) found.outputHelp();
      else if (name !== undefined) await program.parseAsync([name], { from: 'user' }); // Says that it is unknown.
    });
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .showHelpAfterError(
        `\`${[programName(io), ...(command === program ? [] : [command.name()])].join(' ')} --help\` says more`,
      )
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        writeErr: (text) => {
          if (!asJson) io.stderr.write(text); // As JSON, it is reported once, by its message.
        },
        outputError: (text, write) => {
          write(text.replace(errorPrefix, 'shelflist: '));
        },
        getOutHelpWidth: () => io.stdout.columns ?? 80,
        getErrHelpWidth: () => io.stderr.columns ?? 80,
      });
  }
  return program;
}

/** What commander puts before its messages. */
const errorPrefix = /^error: /;

const startHelp = `
To start:
  $ shelflist init               write a .env file with a secret and a password
  $ shelflist serve              run the service
  $ shelflist login              in another terminal, in the same folder
  $ shelflist import books.csv   fill it from a spreadsheet
  $ shelflist list

Exit status: 0 done, 1 failed, 2 usage, 3 not found, 4 not logged in or refused,
5 server or network, 130 interrupted.`;

/** Says what went wrong, on standard error, and gives the exit status for it. */
function report(io: Io, error: unknown, asJson: boolean): number {
  if (error instanceof CommanderError && !asJson) return 2; // It has printed its own message.
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
  return error instanceof CommanderError
    ? new ShelflistError('usage', { message: message.replace(errorPrefix, '') })
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
