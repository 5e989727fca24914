import { setFlagsFromString } from 'node:v8';
import { setImmediate } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import type { CompleteStore } from '../../src/store.ts';

/** Runs a full garbage collection. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}

/**
 * Closes a store and its files: the SQLite binding closes a connection only when its statements are garbage collected. For
 * tests that look at the files afterwards.
 */
export async function closeFiles(store: CompleteStore): Promise<void> {
  await store.close();
  collectGarbage();
  // Native finalizers run in turns of their own.
  for (let turn = 0; turn < 3; turn++) await setImmediate();
}
