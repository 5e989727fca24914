import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { addJsonOption, addServiceOptions } from '../arguments.ts';
import { notice, type Io, writeJson } from '../io.ts';
import { sessionUser } from '../session/credentials.ts';
import { findRenewal } from '../session/session.ts';
import { findTarget, type SessionOptions } from '../session/target.ts';
import { forgetLastLogin, readTokenFiles } from '../session/token-cache.ts';
import { removeForwarding } from '../ui/open-page.ts';

const help = `
Deletes the stored tokens of the service: those of all users, or only that of --username.
The service cannot revoke a token. A copy of it stays valid, and can be renewed, until the
login would have ended.

Examples:
  $ shelflist logout
  $ shelflist logout --url https://books.example.org --username ada
  $ shelflist logout --all --json`;

interface LogoutOptions extends SessionOptions {
  all?: boolean;
  json?: boolean;
}

export function defineLogout(command: Command, io: Io): void {
  addJsonOption(addServiceOptions(command))
    .option('--all', 'log out of every service')
    .addHelpText('after', help)
    .action((options: LogoutOptions) => logout(io, options));
}

async function logout(io: Io, options: LogoutOptions): Promise<void> {
  const target = await findTarget(io, options);
  const { url } = target;
  const files = options.all
    ? await readTokenFiles()
    : await readTokenFiles(url, await sessionUser(io, options));
  for (const { path } of files) await rm(path, { force: true });
  await removeForwarding();
  await forgetLastLogin(options.all ? undefined : url);
  if (options.json) await writeJson(io, { removed: files.map(({ path }) => path) });
  else if (files.length === 0) notice(io, `was not logged in to ${options.all ? 'any service' : url}`);
  for (const { path, cached } of options.json ? [] : files)
    notice(io, cached ? `logged out of ${cached.url} as ${cached.username}` : `removed ${path}`);
  const credentials = options.json ? undefined : await findRenewal(io, target, options);
  if (credentials !== undefined) notice(io, `commands log in again: the password is ${credentials.source}`);
  if (io.env.SHELFLIST_TOKEN) notice(io, 'SHELFLIST_TOKEN is still set, and used; unset it too');
}
