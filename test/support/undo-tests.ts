import { after, describe, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { openStore } from '../../src/index.ts';
import { newDatabaseUrl, startMongod } from './mongod.ts';
import { temporaryFolder } from './temp.ts';
import { compareUndoHistory, undoHistory } from './undo-histories.ts';

/** Compares reverts, deletes and undos of each store with the memory store. */
export async function testUndoHistories(options: { numRuns: number }): Promise<void> {
  const mongod = await startMongod();
  after(() => ('skip' in mongod ? undefined : mongod.stop()));
  const stores: [name: string, url: (t: TestContext) => Promise<string>, skip?: string | false][] = [
    ['file:', async (t) => `file:${await temporaryFolder(t)}`],
    ['MongoDB', () => Promise.resolve(newDatabaseUrl(mongod)), 'skip' in mongod && mongod.skip],
  ];
  describe('a store and the memory store agree after random writes, reverts, deletes and undos', () => {
    for (const [name, urlOf, skip = false] of stores)
      test(`${name}, opened twice`, { skip }, async (t) => {
        const url = await urlOf(t);
        const [store, other] = await Promise.all([openStore(url), openStore(url)]);
        t.after(() => Promise.all([store.close(), other.close()]));
        await fc.assert(
          fc.asyncProperty(undoHistory, (steps) => compareUndoHistory([store, other], steps)),
          options,
        );
      });
  });
}
