import type { Command } from 'commander';
import { defaultServiceUrl } from '../../client/options.ts';
import { addJsonOption, addServiceOptions } from '../arguments.ts';
import { connect } from '../session/connection.ts';
import { logIn, readCredentials } from '../session/credentials.ts';
import { type Io, formatTime, notice, writeJson } from '../io.ts';
import { findTarget, type SessionOptions } from '../session/target.ts';
import { expiryOf, keepLastLogin, keepToken } from '../session/token-cache.ts';

const help = `
The username and password come from SHELFLIST_USERNAME and SHELFLIST_PASSWORD, else
from the .env in this folder, else from a prompt. A password is never an argument:
every user of the machine could read it there.

The password in .env goes only to the service that this .env describes: its
SHELFLIST_URL, else its HOST, PORT, PREFIX and TLS_CERT. The same variables in the
environment do not change that. SHELFLIST_PASSWORD goes only to the service in
SHELFLIST_URL; if that is not set, to the one in --url, else to ${defaultServiceUrl}.

The token is valid for 15 minutes. Commands renew it. A login ends after 10 to 15 minutes
without a command, and after 12 hours (SESSION_HOURS of the service). The token is stored
where only you can read it, and sent only to this service.

Commands without --url use the service in SHELFLIST_URL, else that of the .env in this
folder, else that of the last login, else ${defaultServiceUrl}. Without a login, they
log in by themselves if username and password are set.

Examples:
  $ shelflist login
  $ shelflist login --url https://books.example.org --username ada
  $ shelflist login --username ada --password-stdin < password.txt
  $ shelflist login --json`;

export function defineLogin(command: Command, io: Io): void {
  addJsonOption(addServiceOptions(command))
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText('after', help)
    .action((options: LoginOptions) => login(io, options));
}

interface LoginOptions extends SessionOptions {
  passwordStdin?: boolean;
  json?: boolean;
}

async function login(io: Io, options: LoginOptions): Promise<void> {
  const target = await findTarget(io, options);
  const { url } = target;
  const client = connect({ url }, io.env);
  try {
    await client.check(); // Before a prompt, and before a password could go to another program.
    const credentials = await readCredentials(io, target, options);
    const { username } = credentials;
    const token = await logIn(client, url, credentials);
    const file = await keepToken(url, username, token);
    const expiresAt = new Date(expiryOf(token) * 1000);
    await keepLastLogin(url);
    if (options.json) await writeJson(io, { service: url, user: username, expiresAt, file });
    else {
      notice(io, `logged in to ${url} as ${username}`);
      notice(io, `until ${formatTime(expiresAt)}, or longer while you use it`);
    }
    const other = await findTarget(io, {}).then(
      (usual) => (usual.url === url ? undefined : `talk to ${usual.url}`),
      (error: unknown) => `fail: ${(error as Error).message}`,
    );
    if (other !== undefined) {
      notice(io, `commands here ${other}`);
      notice(io, `to use this login, pass --url ${url}`);
    }
    if (io.env.SHELFLIST_TOKEN) notice(io, 'SHELFLIST_TOKEN is set: other commands use it instead');
  } finally {
    client.close();
  }
}
