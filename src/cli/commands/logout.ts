import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { addJsonOption, addServiceOptions } from '../arguments.ts';
import { notice, type Io, writeJson } from '../io.ts';
import { sessionUser } from '../session/credentials.ts';
import { findRenewal } from '../session/session.ts';
import { findOwn, findTarget, type SessionOptions } from '../session/target.ts';
import { forgetLastLogin, readLastLogin, readTokenFiles, type TokenFile } from '../session/token-cache.ts';

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
  const { all = false, json = false } = options;
  const url = all ? undefined : (await findTarget(io, options)).url;
  const files = await readTokenFiles(url, all ? undefined : await sessionUser(io, options));
  for (const { path } of files) await rm(path, { force: true });
  const next = files.length === 0 && !all ? undefined : await forgetLastLogin(url);
  if (json)
    await writeJson(io, {
      removed: files.map(({ path }) => path),
      ...(next !== undefined && { service: next }),
    });
  else {
    await report(io, options, url, files);
    if (next !== undefined) notice(io, `commands now use your login at ${next}`);
  }
  if (io.env.SHELFLIST_TOKEN) notice(io, 'SHELFLIST_TOKEN is still set, and used; unset it too');
}

/** Reports which logins have ended, and which have not. */
async function report(
  io: Io,
  options: LogoutOptions,
  url: string | undefined,
  files: readonly TokenFile[],
): Promise<void> {
  if (files.length === 0) notice(io, `was not logged in to ${url ?? 'any service'}`);
  for (const { path, cached } of files)
    notice(io, cached ? `logged out of ${cached.url} as ${cached.username}` : `removed ${path}`);
  const isNamed = options.url || (await findOwn(io, 'url'));
  const last = url === undefined || isNamed ? undefined : await readLastLogin();
  if (last !== undefined) notice(io, `the last login, to ${last}, remains; --all ends it, too`);
  const finding = findTarget(io, options).then((target) => findRenewal(io, target, options));
  const credentials = await finding.catch(() => undefined); // A .env that cannot be read logs nobody in.
  if (credentials !== undefined) notice(io, `commands log in again: the password is ${credentials.source}`);
}
