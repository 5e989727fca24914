import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whatever can run something at its end: a test's context, or `{ after }` of node:test for a whole file. */
export interface Scope {
  after: (cleanUp: () => unknown) => void;
}

/** A new folder that is gone after the test (or the suite whose `after` is given). */
export async function temporaryFolder(context: Scope): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'shelflist-'));
  context.after(() => rm(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}
