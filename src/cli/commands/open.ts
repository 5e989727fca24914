import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { addServiceOptions } from '../arguments.ts';
import { notice, type Io } from '../io.ts';
import { withSession } from '../session/session.ts';
import { findTarget, type SessionOptions } from '../session/target.ts';
import { openPage } from '../ui/open-page.ts';

const help = `
The page opens in the browser of this machine, logged in as the same user as the
commands: its address has a code that works once, within a minute. The page has its
own login: \`shelflist logout\` does not end it. If the service may have several
users, the page asks first.

Examples:
  $ shelflist open
  $ shelflist open --url https://books.example.org --username ada`;

export function defineOpen(command: Command, io: Io): void {
  addServiceOptions(command)
    .addHelpText('after', help)
    .action((options: SessionOptions) => open(io, options));
}

async function open(io: Io, options: SessionOptions): Promise<void> {
  const { url } = await findTarget(io, options);
  const { isStarted, message } = await withSession(io, options, (client) => openPage(io, url, client));
  if (!isStarted) throw new CommandError('failed', { message });
  notice(io, message);
}
