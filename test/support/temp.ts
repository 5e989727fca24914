import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** Runs a function at its end: the context of a test, or `{ after }` of node:test for a whole file. */
export interface Scope {
  after: (cleanUp: () => unknown) => void;
}

/** Creates a folder that is removed after the test (or after the suite whose `after` is given). */
export async function temporaryFolder(context: Scope, parent = tmpdir()): Promise<string> {
  const path = await mkdtemp(join(parent, 'shelflist-'));
  context.after(() => rm(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}

/** The free bytes that a test run needs in a folder in memory. */
const neededBytes = 2 ** 30;

/**
 * Creates the folder of a test run, which holds all temporary folders of its processes.
 *
 * @param isInMemory Whether it is in memory, if there is such a folder: most tests need no disk.
 */
export function runFolder({ isInMemory }: { isInMemory: boolean }): string {
  const folder = mkdtempSync(join(isInMemory ? memoryFolder() : tmpdir(), 'shelflist-tests-'));
  chmodSync(folder, 0o755); // Some tests run a command as another user.
  process.env.TMPDIR = folder;
  return folder;
}

const memory = '/dev/shm';

/** A folder in memory, if there is one with room: data there survives a killed process, and syncs cost nothing. */
export function memoryFolder(): string {
  return hasRoom(memory) ? memory : tmpdir();
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}
