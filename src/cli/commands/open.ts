import type { Command } from 'commander';
import { addServiceOptions } from '../arguments.ts';
import { notice, type Io } from '../io.ts';
import { withSession } from '../session/session.ts';
import { findTarget, type SessionOptions } from '../session/target.ts';
import { openPage } from '../ui/open-page.ts';

const help = `
The browser of this machine shows the page of the service, logged in as the commands are.
The page keeps its own login: \`shelflist logout\` does not end it.

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
  const token = await withSession(io, options, (client) => client.renew());
  notice(io, await openPage(io, url, token));
}
