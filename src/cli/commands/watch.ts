import { InvalidArgumentError, type Command } from 'commander';
import { isPosition } from '../../catalogue/changes.ts';
import { addJsonOption, addServiceOptions } from '../arguments.ts';
import { notice, type Io } from '../io.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { watchInterrupt } from '../ui/interrupt.ts';
import { write } from '../ui/terminal.ts';

const help = `
Writes a line of JSON for each change: its position, the id of the book, and created,
updated, deleted or reverted. The command connects again when the connection breaks or
the service restarts, without losing or repeating a change. Ctrl-C ends it, with exit
status 0.

To continue later, pass the "position" of the last line to --after. Its form depends on
the store, so only the service can tell whether it knows one. If it does not, or no
longer keeps the changes after it, a line has "reset" instead of an id, and a message
says so on standard error: read the books again. --json omits the message.

Examples:
  $ shelflist watch
  $ shelflist watch --after pQ3x.42 --json > changes.ndjson
  $ shelflist watch --url https://books.example.org --username ada | jq --unbuffered .id`;

interface WatchCommandOptions extends SessionOptions {
  after?: string;
  json?: boolean;
}

export function defineWatch(command: Command, io: Io): void {
  addJsonOption(addServiceOptions(command))
    .option(
      '--after <position>',
      'the "position" of an earlier line, to continue after it (default: begin now)',
      parsePosition,
    )
    .addHelpText('after', help)
    .action((options: WatchCommandOptions) => watch(io, options));
}

function parsePosition(value: string): string {
  if (isPosition(value)) return value;
  throw new InvalidArgumentError('expected the "position" of a line that this command has written');
}

async function watch(io: Io, options: WatchCommandOptions): Promise<void> {
  const { after } = options;
  const interrupt = watchInterrupt(io.env);
  const { signal } = interrupt;
  try {
    await withSession(io, options, async (client) => {
      for await (const event of client.watch({ signal, ...(after !== undefined && { after }) })) {
        if (!(await write(io, `${JSON.stringify(event)}\n`))) return;
        if ('reset' in event && options.json !== true)
          notice(io, 'changes are missing; read the books again');
      }
    });
    await interrupt.settled();
  } finally {
    interrupt.release();
  }
}
