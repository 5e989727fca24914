import { mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';

interface QueuedFile {
  /** The name of the suite that its tests are in. */
  readonly name: string;
  /** Its compiled form. */
  readonly path: string;
}

/**
 * Writes a script for each process, which runs the next file of the queue until none is left.
 *
 * @param folder The folder of the scripts.
 */
export function createQueue(
  files: readonly QueuedFile[],
  { folder, processes }: { folder: string; processes: number },
): string[] {
  const queue = mkdtempSync(join(folder, 'queue-'));
  const module = pathToFileURL(join(folder, 'test/support/file-queue.mjs')).href;
  const [list, claims] = [files, queue].map((value) => JSON.stringify(value));
  return Array.from({ length: Math.min(processes, files.length) }, (_, i) => {
    const script = join(queue, `process-${i}.mjs`);
    writeFileSync(
      script,
      `import { runQueue } from ${JSON.stringify(module)};\nawait runQueue(${list}, ${claims});\n`,
    );
    return script;
  });
}

/**
 * Runs the files that no other process has taken, each as a suite, so that its hooks end with it.
 *
 * @lintignore The scripts above import it.
 */
export async function runQueue(files: readonly QueuedFile[], claims: string): Promise<void> {
  for (const [index, { name, path }] of files.entries()) {
    if (!claim(join(claims, `${index}`))) continue;
    await new Promise<void>((resolve) => {
      void describe(name, async () => {
        after(() => {
          resolve();
        });
        await import(pathToFileURL(path).href);
      });
    });
  }
}

/** Whether this process is the first to claim it. */
function claim(path: string): boolean {
  try {
    openSync(path, 'wx');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}
