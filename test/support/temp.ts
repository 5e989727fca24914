import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A new folder that is gone after the test (or the suite whose `after` is given). */
export async function temporaryFolder(context: Pick<TestContext, 'after'>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'shelflist-'));
  context.after(() => rm(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}
