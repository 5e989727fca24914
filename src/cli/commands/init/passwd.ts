import { chown, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { readDotenv } from '../../../config/environment.ts';
import { replaceVariable } from '../../../config/dotenv-text.ts';
import { settings } from '../../../config/settings.ts';
import { AtomicFile } from '../../../lib/atomic-file.ts';
import { addJsonOption } from '../../arguments.ts';
import { notice, type Io } from '../../io.ts';
import { readLine } from '../../session/credentials.ts';
import { createPrivateFile } from '../../session/private-file.ts';
import { ask } from '../../ui/prompt.ts';
import { writeJson } from '../../ui/records.ts';

const help = `
Asks for the new password twice, or reads it from standard input. The file becomes
readable only by you (mode 0600); its other lines stay as they are.

A service reads the file when it starts. After a restart, it does not renew logins with
the old password: they end within 15 minutes.

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
  const file = await realpath(join(io.directory, '.env'));
  const password = io.stdin.isTTY ? await askTwice(io) : await readLine(io.stdin);
  if (password === '') throw failed('the new password is empty; nothing was changed');
  const text = await replaceVariable(await readFile(file, 'utf8'), variable, password);
  if (text === undefined)
    throw failed('a .env cannot hold this password: it has all kinds of quotes; choose another');
  await replaceFile(file, text);
  if (json) await writeJson(io, { file });
  else {
    notice(io, `changed the password in ${file}`);
    notice(io, 'restart the service; older logins then end within 15 min');
  }
}

/** @throws {ShelflistError} `failed`: the password of the service is not in the `.env`. */
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
  if (password === '' || (await ask(io, 'Again: ', { silent: true })) === password) return password;
  throw failed('the passwords differ; nothing was changed');
}

/** Replaces a file by a private one of the same owner: root may change the password of a service of another user. */
async function replaceFile(path: string, text: string): Promise<void> {
  const file = new AtomicFile(path, { replace: true });
  try {
    const { uid, gid } = await stat(path);
    await createPrivateFile(file.draft, text);
    if (process.getuid?.() === 0) await chown(file.draft, uid, gid);
    await file.commit();
  } catch (error) {
    await file.discard();
    throw failed(`cannot write ${path} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
}

function failed(message: string): ShelflistError {
  return new ShelflistError('failed', { message });
}
