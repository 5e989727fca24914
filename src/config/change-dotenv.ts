import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError } from './config-error.ts';
import { describeWriteProblem } from './write-problem.ts';
import { syncFolder } from '../lib/atomic-file.ts';
import { Semaphore } from '../lib/semaphore.ts';

/** Each change begins with the text that the one before has left. */
const changes = new Semaphore(1);

/**
 * Changes the text of the `.env` of a folder. Only its owner can read the file afterwards.
 *
 * @param variable What is changed, for errors.
 * @returns The path of the file, which `.env` may be a link to.
 * @throws {ConfigError} It cannot be written.
 */
export function changeDotenv(
  directory: string,
  variable: string,
  change: (text: string) => string | Promise<string>,
): Promise<string> {
  return changes.run(async () => {
    const file = await realpath(join(directory, '.env'));
    if (isRoot()) await checkLink(directory, file, variable);
    const { text, owner } = await readOwned(file);
    await replaceFile(file, await change(text), owner);
    return file;
  });
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** @throws {ConfigError} The owner of the folder could make root change a file of another user by a link. */
async function checkLink(folder: string, file: string, variable: string): Promise<void> {
  if (file === join(await realpath(folder), '.env')) return;
  if ((await stat(file)).uid === (await stat(folder)).uid) return;
  throw new ConfigError(
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
    throw new ConfigError(describeWriteProblem(path, error), { cause: error });
  }
}
