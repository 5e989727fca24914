import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { ShelflistError } from '../../catalogue/errors.ts';
import { readDotenv, replaceVariable } from '../../config/environment.ts';
import { settings } from '../../config/settings.ts';
import { syncFolder } from '../../lib/atomic-file.ts';
import { addJsonOption } from '../arguments.ts';
import { notice, type Io, writeJson } from '../io.ts';
import { readLine } from '../session/credentials.ts';
import { ask } from '../prompt.ts';

const help = `
Asks for the new password twice; without a terminal, it reads it from standard input.
Other lines of the file stay as they are, and only you can read it (mode 0600).

Restart the service afterwards. Logins with the old password then end within 15 minutes.

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
  if (isRoot()) await checkLink(io.directory, file);
  const password = io.stdin.isTTY ? await askTwice(io) : await readLine(io.stdin);
  if (password === '') throw failed('the new password is empty; nothing was changed');
  const { text: before, owner } = await readOwned(file);
  const text = await replaceVariable(before, variable, password);
  if (text === undefined)
    throw failed('a .env cannot hold this password: it has all kinds of quotes; choose another');
  await replaceFile(file, text, owner);
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

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** @throws {ShelflistError} `failed`: the owner of the folder could make root change a file of another user by a link. */
async function checkLink(folder: string, file: string): Promise<void> {
  if (file === join(await realpath(folder), '.env')) return;
  if ((await stat(file)).uid === (await stat(folder)).uid) return;
  throw failed(
    `${join(folder, '.env')} is a link to ${file}, and root follows it only if the folder has the same owner as that file; ` +
      `change ${variable} there with an editor, or replace the link with the file`,
  );
}

/** The text and the owner of the same file, even if its name is given to another one meanwhile. */
async function readOwned(path: string): Promise<{ text: string; owner: Owner }> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW); // Windows has no such flag, which adds 0.
  try {
    return { text: await handle.readFile('utf8'), owner: await handle.stat() };
  } finally {
    await handle.close();
  }
}

/**
 * Replaces a file by a private one of the same owner: root may change the password of a service of another user, who can put
 * anything in the place of the draft. It is therefore never opened again.
 */
async function replaceFile(path: string, text: string, { uid, gid }: Owner): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      if (isRoot()) await handle.chown(uid, gid);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(draft, { force: true });
    throw failed(`cannot write ${path} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
}

function failed(message: string): ShelflistError {
  return new ShelflistError('failed', { message });
}
