import { after, describe, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { openStore, type BookStore } from '../../src/index.ts';
import { indexAll } from '../support/embedded-index.ts';
import { indexed, openDriver } from '../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { compareHistory, history } from '../support/questions.ts';
import { temporaryFolder } from '../support/temp.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

/** So long for each store, at the most. */
const milliseconds = 12_000;

interface Place {
  url: string;
  /** Waits for what the store does in the background. */
  settle: () => Promise<void>;
}

async function embedded(t: TestContext): Promise<Place> {
  const folder = await temporaryFolder(t);
  return { url: `file:${folder}`, settle: () => indexAll(folder) };
}

async function mongo(t: TestContext): Promise<Place> {
  const url = newDatabaseUrl(mongod);
  const db = await openDriver(t, url);
  return { url, settle: () => indexed(db) };
}

const stores: [name: string, place: (t: TestContext) => Promise<Place>, skip: string | false][] = [
  ['embedded', embedded, false],
  ['MongoDB', mongo, 'skip' in mongod ? mongod.skip : false],
];

describe('the answers of a store are those of the plainest code', () => {
  for (const [name, placeOf, skip] of stores) {
    test(name, { skip }, async (t) => {
      const { url, settle } = await placeOf(t);
      const store = await openStore(url);
      t.after(() => store.close());
      await fc.assert(
        fc.asyncProperty(history, async (steps) => {
          await empty(store);
          await compareHistory(store, steps, settle);
        }),
        { numRuns: 300, interruptAfterTimeLimit: milliseconds },
      );
    });
  }
});

async function empty(store: BookStore): Promise<void> {
  for await (const page of store.list()) await Promise.all(page.map(({ id }) => store.delete(id)));
}
