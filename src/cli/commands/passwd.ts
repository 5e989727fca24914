import { join } from 'node:path';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { readDotenv } from '../../config/environment.ts';
import { findPasswordProblem, replacePassword } from '../../config/password-file.ts';
import { settings } from '../../config/settings.ts';
import { addJsonOption } from '../arguments.ts';
import { notice, type Io, writeJson } from '../io.ts';
import { readLine } from '../session/credentials.ts';
import { ask } from '../prompt.ts';

const help = `
Asks for the new password twice; without a terminal, it reads it from standard input.
Other lines of the file stay as they are, and only you can read it (mode 0600).

The password must have at least ten characters. Restart the service afterwards: logins
with the old one then end within 15 minutes.
“Change password” in the page needs no restart.

Examples:
  $ shelflist passwd
  $ shelflist passwd --json < password.txt`;

export function definePasswd(command: Command, io: Io): void {
  addJsonOption(command)
    .addHelpText('after', help)
    .action((options: { json?: boolean }) => changePassword(io, options));
}

const { variable } = settings.authPassword;

async function changePassword(io: Io, { json }: { json?: boolean }): Promise<void> {
  await checkSource(io);
  const password = io.stdin.isTTY ? await askTwice(io) : await readLine(io.stdin);
  checkLength(password);
  const file = await replacePassword(io.directory, password);
  if (json) await writeJson(io, { file });
  else {
    notice(io, `changed the password in ${file}`);
    notice(io, 'restart the service; older logins then end within 15 min');
  }
}

/** @throws {CommandError} `failed`: the password of the service is not in the `.env`. */
async function checkSource({ env, directory }: Io): Promise<void> {
  const elsewhere = (place: string, name: string) =>
    failed(`the password is in ${name} (${place}), which this command does not change; change it there`);
  for (const name of [variable, `${variable}_FILE`]) if (env[name]) throw elsewhere('environment', name);
  const dotenv = await readDotenv(directory);
  if (dotenv === undefined)
    throw failed(`${join(directory, '.env')} does not exist; \`shelflist init\` writes one with a password`);
  if (dotenv[`${variable}_FILE`]) throw elsewhere('.env', `${variable}_FILE`);
}

async function askTwice(io: Io): Promise<string> {
  const password = (await ask(io, 'New password: ', { silent: true })) ?? '';
  checkLength(password);
  if ((await ask(io, 'Again: ', { silent: true })) === password) return password;
  throw failed('the passwords differ; nothing was changed');
}

function checkLength(password: string): void {
  const problem = password === '' ? 'the new password is empty' : findPasswordProblem(password);
  if (problem !== undefined) throw failed(`${problem}; nothing was changed`);
}

function failed(message: string): CommandError {
  return new CommandError('failed', { message });
}
