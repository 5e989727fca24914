import { createHash, randomUUID } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import { cacheFolder } from '../../../lib/cache-folder.ts';
import { readPrivateFile, replacePrivateFile } from '../../../lib/atomic-file.ts';

/** The service that `start` runs for a folder of this machine. */
export interface Running {
  /** Its process. It can have ended: the file stays after a crash. */
  readonly pid: number;
  readonly url: string;
  readonly version: string;
}

/** A service that has claimed a folder. */
export interface Claim {
  /** Aborted when another start has taken over the folder: the service must end. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** How often a service checks whether another one has taken over its folder. */
const checkMs = 500;

/**
 * The file that names the service of a folder; only this user can read it. It is in the cache of this machine, because several
 * machines can share a folder of documents.
 */
async function fileOf(folder: string): Promise<string> {
  const name = createHash('sha256').update(await realpath(folder));
  return cacheFolder(`running/${name.digest('base64url')}.json`);
}

/** Finds the service that runs for a folder, by its file and its process. */
export async function findRunning(folder: string): Promise<Running | undefined> {
  const { text = '' } = (await readPrivateFile(await fileOf(folder))) ?? {};
  try {
    const { pid, url, version } = Object(JSON.parse(text)) as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof url !== 'string' || typeof version !== 'string') return undefined;
    process.kill(pid, 0); // Asks whether there is such a process.
    return { pid, url, version };
  } catch {
    return undefined;
  }
}

/**
 * Names this process as the service of a folder. Nothing kills a process: a service ends by itself when its file names another
 * one.
 */
export async function claimFolder(folder: string, service: Omit<Running, 'pid'>): Promise<Claim> {
  const file = await fileOf(folder);
  const id = randomUUID();
  const own = JSON.stringify({ ...service, pid: process.pid, id });
  /** The id in the file. A missing file counts as our own: emptying the cache must not end a service. */
  const readId = async () => {
    const { text } = (await readPrivateFile(file)) ?? { text: own };
    return (Object(JSON.parse(text ?? '')) as { id?: unknown }).id;
  };
  await replacePrivateFile(file, own);
  const lost = new AbortController();
  const check = () => {
    readId().then(
      (found) => {
        if (found !== id) lost.abort();
      },
      () => undefined,
    );
  };
  watchFile(file, { interval: checkMs, persistent: false }, check);
  return {
    lost: lost.signal,
    async release() {
      unwatchFile(file, check);
      const found = await readId().catch(() => undefined);
      if (found === id) await rm(file, { force: true });
    },
  };
}

/** Makes the service of a folder end, if it watches its file. */
export async function endRunning(folder: string): Promise<void> {
  await replacePrivateFile(await fileOf(folder), '{}');
}
