import { Command, InvalidArgumentError, type CommanderError } from 'commander';
import { ShelflistError } from '../catalogue/errors.ts';
import type { Define } from './definitions.ts';
import { names, type CommandName } from './command-names.ts';
import type { Io } from './io.ts';
import { widthOf } from './ui/width.ts';
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
  $ shelflist help exit-codes    also: environment, formats`;

/**
 * Creates the program. It defines only the commands that the command line names; the others have a name and a summary. Its
 * options are valid before and after a command. An invalid command line makes it throw a `ShelflistError`, and help that it has shown a `CommanderError`.
 */
export async function createProgram(argv: readonly string[], outer: Io): Promise<Command> {
  const env = { ...outer.env };
  // Inherits, because standard input is created on first use.
  const io = Object.create(outer, { env: { value: env } }) as Io;
  const program = new Command('shelflist')
    .description('A book catalogue: run the service, and manage its books from here.')
    .option('-V, --version', 'print the version') // For the help only: main.ts handles it.
    .option('--width <columns>', 'the width of tables and help texts (default: COLUMNS)', parseWidth)
    .option('--no-pager', 'do not show long results in PAGER, or less')
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
  for (const [name, { group, summary, hidden = false }] of Object.entries<CommandName>(names))
    program.command(name, { hidden }).description(summary).helpGroup(group);
  const words = argv.filter((word, i) => !word.startsWith('-') && argv[i - 1] !== '--width');
  const wanted = words[0] === 'help' ? words.slice(0, 2) : words.slice(0, 1);
  for (const command of program.commands) {
    if (!wanted.includes(command.name()) && wanted[0] !== 'complete') continue;
    const define = await loadDefinition(command.name() as keyof typeof names);
    define(command, io);
  }
  for (const command of [program, ...program.commands.flatMap((each) => [each, ...each.commands])])
    command.exitOverride((error) => {
      const hasShownHelp = error.exitCode === 0 || error.code === 'commander.help';
      throw hasShownHelp ? error : usageError(error, command);
    });
  return program;
}

function parseWidth(value: string): string {
  if (/^[1-9][0-9]{0,5}$/.test(value)) return value;
  throw new InvalidArgumentError('expected a whole number from 1 to 999999');
}

function usageError({ message }: CommanderError, command: Command): ShelflistError {
  return new ShelflistError('usage', {
    message: usageErrorText(message, commandLine(command)),
  });
}

/** `serve` has a file of its own, and starts without the code of the other commands. */
async function loadDefinition(name: keyof typeof names): Promise<Define> {
  if (name === 'serve') return (await import('./commands/serve/serve.ts')).defineServe;
  const { definitions } = await import('./definitions.ts');
  return definitions[name];
}

function commandLine(command: Command): string {
  return command.parent ? `${commandLine(command.parent)} ${command.name()}` : command.name();
}
