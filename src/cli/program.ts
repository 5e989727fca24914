import { Command } from 'commander';
import type { Define } from './commands/definitions.ts';
import { names, type CommandName } from './commands/names.ts';
import { programName, type Io } from './io.ts';
import { misuseText } from './misuse.ts';

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
        write(`shelflist: ${misuseText(text)}`);
      },
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
    })
    .addHelpText('after', startHelp);
  for (const [name, { group, summary, hidden = false }] of Object.entries<CommandName>(names))
    program.command(name, { hidden }).description(summary).helpGroup(group);
  const words = argv.filter((word) => !word.startsWith('-'));
  const wanted = words[0] === 'help' ? words.slice(0, 2) : words.slice(0, 1);
  for (const command of program.commands) {
    if (!wanted.includes(command.name()) && wanted[0] !== 'complete') continue;
    const define = await loadDefinition(command.name() as keyof typeof names);
    define(command, io);
  }
  for (const command of [program, ...program.commands.flatMap((each) => [each, ...each.commands])])
    command.showHelpAfterError(`\`${commandLine(command, io)} --help\` says more`);
  return program;
}

/** `serve` is in a file of its own, and so starts without what the other commands need. */
async function loadDefinition(name: keyof typeof names): Promise<Define> {
  if (name === 'serve') return (await import('./commands/serve.ts')).defineServe;
  const { definitions } = await import('./commands/definitions.ts');
  return definitions[name];
}

function commandLine(command: Command, io: Io): string {
  return command.parent ? `${commandLine(command.parent, io)} ${command.name()}` : programName(io);
}
