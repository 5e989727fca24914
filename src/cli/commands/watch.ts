import { InvalidArgumentError, type Command } from 'commander';
import { isPosition } from '../../catalogue/changes.ts';
import { addJsonOption, addServiceOptions } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { notice, programName, type Io, writeJson } from '../io.ts';
import { withSession } from '../session/session.ts';
import type { SessionOptions } from '../session/target.ts';
import { withInterrupt } from '../ui/interrupt.ts';

const help = `
Writes a line of JSON for each change: its position, the id of the book, and created,
updated, deleted or reverted. After a broken connection or a restart of the service, the
command connects again, and neither loses nor repeats a change. Ctrl-C ends it, with exit
status 130, and says how to continue.

To continue later, pass the "position" of the last line to --after. If the service does
not know this position, or no longer has all changes after it, a line has "reset" instead
of an id: read the books again. A message on standard error says so, unless --json is
used.

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
      'continue after the change with this position (default: wait for the next change)',
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
  let { after } = options;
  await withInterrupt(io, (signal) =>
    withSession(io, options, async (client) => {
      for await (const event of client.watch({ signal, ...(after !== undefined && { after }) })) {
        if (!(await writeJson(io, event))) return;
        after = event.position;
        if ('reset' in event && options.json !== true)
          notice(io, 'changes are missing; read the books again');
      }
      const advice = after === undefined ? '' : `; to continue: ${programName(io)} watch --after ${after}`;
      throw new CommandError('interrupted', { message: `interrupted${advice}` });
    }),
  );
}
