import { Command } from 'commander';
import { programName, type Io } from './io.ts';

interface Entry {
  group: string;
  summary: string;
  hidden?: true;
}

/** The commands in the order of the help. What they do is loaded when one of them is run. */
export const entries = {
  serve: { group: 'Service:', summary: 'run the service' },
  init: { group: 'Service:', summary: 'write a .env file with a random secret and password' },
  config: { group: 'Service:', summary: 'show each setting and where it came from' },
  doctor: { group: 'Service:', summary: 'look for what is wrong, and say what mends it' },
  login: { group: 'Session:', summary: 'get a token from a service and keep it for the other commands' },
  logout: { group: 'Session:', summary: 'forget the token' },
  status: { group: 'Session:', summary: 'show the service, the user and how long the token lasts' },
  list: { group: 'Books:', summary: 'show every book' },
  get: { group: 'Books:', summary: 'show books by their ids' },
  add: { group: 'Books:', summary: 'add a book' },
  update: { group: 'Books:', summary: 'change fields of a book' },
  edit: { group: 'Books:', summary: 'change a book in your editor' },
  delete: { group: 'Books:', summary: 'delete books' },
  import: { group: 'Files:', summary: 'add the books of a CSV, JSON or NDJSON file' },
  export: { group: 'Files:', summary: 'write every book to a CSV, JSON or NDJSON file' },
  completion: { group: 'Help:', summary: 'print the script that completes commands in your shell' },
  complete: { group: 'Help:', summary: 'answer what that script asks', hidden: true },
  help: { group: 'Help:', summary: 'show help for a command or a topic' },
} as const satisfies Record<string, Entry>;

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

/** The program, with those commands defined that a command line is about; the others have their names only. */
export async function createProgram(
  argv: readonly string[],
  io: Io,
  { quiet }: { quiet: boolean },
): Promise<Command> {
  const program = new Command('shelflist')
    .description('A book catalogue: run the service, and manage its books from here.')
    .option('-V, --version', 'print the version') // For the help: main.ts answers it.
    .helpOption('-h, --help', 'show help for a command')
    .helpCommand(false) // The built-in one takes any word for a command.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => {
        if (!quiet) io.stderr.write(text); // As JSON, it is reported once, by its message.
      },
      outputError: (text, write) => {
        write(text.replace(/^error: /, 'shelflist: '));
      },
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
    })
    .addHelpText('after', startHelp);
  for (const [name, { group, summary, hidden = false }] of Object.entries<Entry>(entries))
    program.command(name, { hidden }).description(summary).helpGroup(group);
  const words = argv.filter((word) => !word.startsWith('-'));
  const wanted = words[0] === 'help' ? words.slice(0, 2) : words.slice(0, 1);
  if (wanted.some((name) => name in entries)) {
    const { definitions } = await import('./commands/definitions.ts');
    for (const command of program.commands) {
      if (wanted.includes(command.name()) || wanted[0] === 'complete')
        definitions[command.name() as keyof typeof entries](command, io);
    }
  }
  for (const command of [program, ...program.commands.flatMap((each) => [each, ...each.commands])])
    command.showHelpAfterError(`\`${commandLine(command, io)} --help\` says more`);
  return program;
}

function commandLine(command: Command, io: Io): string {
  return command.parent ? `${commandLine(command.parent, io)} ${command.name()}` : programName(io);
}
