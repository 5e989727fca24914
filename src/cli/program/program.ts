import { Command, type CommanderError, InvalidArgumentError } from 'commander';
import { CommandError } from '../command-error.ts';
import type { Define } from './definitions.ts';
import { type Io, widthOf } from '../io.ts';
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
 * Creates the program. It defines only the commands that the command line names; the others have a name and a summary. Its
 * options are valid before and after a command. It throws a `ShelflistError` for an invalid command line, and a
 * `CommanderError` after it has shown help.
 */
export async function createProgram(argv: readonly string[], outer: Io): Promise<Command> {
  const env = { ...outer.env };
  // Inherits, because standard input is created on first use.
  const io = Object.create(outer, { env: { value: env } }) as Io;
  const program = new Command('shelflist')
    .description('A book catalogue: run the service, and manage its books from here.')
    .option('-V, --version', 'print the version') // For the help only: main.ts handles it.
    .option('--width <columns>', 'the width of tables and help texts (default: COLUMNS)', parseWidth)
    .option('--no-pager', 'write long results without a pager')
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

function usageError({ message }: CommanderError, command: Command): CommandError {
  return new CommandError('usage', {
    message: usageErrorText(message, commandLine(command)),
  });
}

/** `serve` has a file of its own, and starts without the code of the other commands. */
async function loadDefinition(name: keyof typeof names): Promise<Define> {
  if (name === 'serve') return (await import('../commands/serve/serve.ts')).defineServe;
  const { definitions } = await import('./definitions.ts');
  return definitions[name];
}

function commandLine(command: Command): string {
  return command.parent ? `${commandLine(command.parent)} ${command.name()}` : command.name();
}

/** The entry of a command in the help of the program. */
export interface CommandName {
  group: string;
  summary: string;
  hidden?: true;
}

/** The commands, in the order of the help. Their code is loaded when one of them runs. */
export const names = {
  serve: { group: 'Service:', summary: 'run the service' },
  init: { group: 'Service:', summary: 'write a .env file with a random secret and password' },
  passwd: { group: 'Service:', summary: 'change the password in the .env file' },
  config: { group: 'Service:', summary: 'show each setting and its source' },
  doctor: { group: 'Service:', summary: 'find problems, and say how to fix them' },
  health: { group: 'Service:', summary: 'check whether the service is ready, without a login' },
  backup: { group: 'Service:', summary: 'copy the books and their ids to a file, while the service runs' },
  restore: { group: 'Service:', summary: 'create a store from a backup' },
  verify: { group: 'Service:', summary: 'check a backup, without restoring it' },
  copy: { group: 'Service:', summary: 'copy a catalogue to another store, with ids and history' },
  login: { group: 'Session:', summary: 'log in to a service, and store its token for other commands' },
  logout: { group: 'Session:', summary: 'delete the stored token' },
  status: { group: 'Session:', summary: 'show the service, the user and how long the token is valid' },
  open: { group: 'Session:', summary: 'open the page of the service in the browser, logged in' },
  list: { group: 'Books:', summary: 'list or search the books' },
  suggest: { group: 'Books:', summary: 'show the most frequent authors or titles that match' },
  stats: { group: 'Books:', summary: 'count books by decade and by author' },
  authors: { group: 'Books:', summary: 'list authors, and join the spellings of one name' },
  get: { group: 'Books:', summary: 'show books by their ids' },
  add: { group: 'Books:', summary: 'add a book' },
  update: { group: 'Books:', summary: 'change fields of a book' },
  edit: { group: 'Books:', summary: 'change a book in your editor' },
  change: { group: 'Books:', summary: 'change fields of all books that a query matches' },
  delete: { group: 'Books:', summary: 'delete books' },
  duplicates: { group: 'Books:', summary: 'find books that are in the catalogue more than once' },
  merge: { group: 'Books:', summary: 'keep one of several duplicates, and delete the others' },
  watch: { group: 'Books:', summary: 'write each change of a book as it happens' },
  history: { group: 'History:', summary: 'show the earlier states of a book' },
  revert: { group: 'History:', summary: 'give a book an earlier state, or bring back a deleted one' },
  trash: { group: 'History:', summary: 'list deleted books' },
  undo: { group: 'History:', summary: 'take back an import, a change, a delete or a merge' },
  import: { group: 'Files:', summary: 'add the books of a file: Excel, CSV, JSON, MARC21, RIS, BibTeX' },
  export: { group: 'Files:', summary: 'write all books to a file: Excel, CSV, JSON, MARCXML, RIS, BibTeX' },
  completion: { group: 'Help:', summary: 'let your shell complete commands and options with Tab' },
  complete: { group: 'Help:', summary: 'list completions, for the scripts of `completion`', hidden: true },
  help: { group: 'Help:', summary: 'show help for a command or a topic' },
} as const satisfies Record<string, CommandName>;
