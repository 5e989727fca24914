import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
