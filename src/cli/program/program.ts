import { type Command, type CommanderError, InvalidArgumentError } from 'commander';
import { CommandError } from '../command-error.ts';
import { commands } from './commands.ts';
import { type Io, widthOf } from '../io.ts';
import { ShelflistCommand } from './command.ts';
import { usageErrorText } from './usage-error.ts';

const startHelp = `
To start:
  $ shelflist init               write a .env file with a secret and a password
  $ shelflist serve              run the service
  $ shelflist login              in another terminal, in the same folder
  $ shelflist import books.csv   fill it from a spreadsheet
  $ shelflist list

More:
  $ shelflist help import        a command, its options and examples
  $ shelflist help exit-codes    also: environment, formats, columns`;

/**
 * Creates the program. It loads only the commands that the command line names; the others have a name and a summary. Its
 * options are valid before and after a command. It throws a `ShelflistError` for an invalid command line, and a
 * `CommanderError` after it has shown help.
 */
export async function createProgram(argv: readonly string[], outer: Io): Promise<Command> {
  const env = { ...outer.env };
  // Inherits, because standard input is created on first use.
  let quiet = false;
  const io = Object.create(outer, { env: { value: env }, isQuiet: { get: () => quiet } }) as Io;
  const program = new ShelflistCommand('shelflist')
    .description('A book catalogue: run the service, and manage its books from here.')
    .option('-V, --version', 'print the version') // For the help only: main.ts handles it.
    .option('--width <columns>', 'the width of tables and help texts (default: COLUMNS)', parseWidth)
    .option('--no-pager', 'write long results without a pager')
    .option('-q, --quiet', 'write no messages, only results, errors and questions')
    .on('option:quiet', () => {
      quiet = true;
    })
    .on('option:width', (columns: string) => (env.COLUMNS = columns))
    .on('option:no-pager', () => (env.PAGER = 'cat'))
    .helpOption('-h, --help', 'show help for a command')
    .helpCommand(false) // The built-in one accepts any word.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: () => undefined, // main.ts reports it.
      getOutHelpWidth: () => widthOf(io) ?? 80,
      getErrHelpWidth: () => widthOf({ env, stdout: io.stderr }) ?? 80,
    })
    .addHelpText('after', startHelp);
  const words = argv.filter((word, i) => !word.startsWith('-') && argv[i - 1] !== '--width');
  const wanted = words[0] === 'help' ? words.slice(0, 2) : words.slice(0, 1);
  for (const [name, { group, summary, alias, load }] of Object.entries(commands)) {
    const command = program.command(name).description(summary).helpGroup(group);
    if (alias !== undefined) command.alias(alias);
    if (needsAll(wanted) || wanted.includes(name) || (alias !== undefined && wanted.includes(alias)))
      (await load())(command, io);
  }
  for (const command of [program, ...program.commands.flatMap((each) => [each, ...each.commands])])
    command.exitOverride((error) => {
      const hasShownHelp = error.exitCode === 0 || error.code === 'commander.help';
      throw hasShownHelp ? error : usageError(error, command);
    });
  return program;
}

/** The script of a shell has the options of each command. */
function needsAll([name]: readonly string[]): boolean {
  return name === 'completion';
}

function parseWidth(value: string): string {
  if (/^[1-9][0-9]{0,5}$/.test(value)) return value;
  throw new InvalidArgumentError('expected a whole number from 1 to 999999');
}

function usageError({ message }: CommanderError, command: Command): CommandError {
  return new CommandError('usage', {
    message: usageErrorText(message, {
      command: commandLine(command),
      flags: command.options.flatMap(({ long }) => long ?? []),
      extra: command.args[command.registeredArguments.length],
    }),
  });
}

function commandLine(command: Command): string {
  return command.parent ? `${commandLine(command.parent)} ${command.name()}` : command.name();
}
