import { randomUUID } from 'node:crypto';
import { after, describe, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { openStore, type BookStore } from '../../src/index.ts';
import { indexed, openDriver } from '../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { compareHistory, history, type Asked } from '../support/questions.ts';
import { openElsewhere } from '../support/remote-store.ts';
import { sized } from '../support/size.ts';
import { temporaryFolder } from '../support/temp.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

/** Time for each store, at most. */
const milliseconds = sized({ short: 4000, long: 60_000 });

interface Place {
  url: string;
  /** Waits for what the store does in the background. Default: nothing. */
  settle?: () => Promise<void>;
  /** Processes that have the store open, besides this one. */
  others?: number;
}

async function mongo(t: TestContext): Promise<Place> {
  const url = newDatabaseUrl(mongod);
  const db = await openDriver(t, url);
  return { url, settle: () => indexed(db) };
}

const folder = async (t: TestContext) => `file:${await temporaryFolder(t)}`;

const stores: [name: string, place: (t: TestContext) => Promise<Place>, skip?: string | false][] = [
  ['file:', async (t) => ({ url: await folder(t) })],
  ['file:, opened by three processes', async (t) => ({ url: await folder(t), others: 2 })],
  ['memory:', () => Promise.resolve({ url: `memory:${randomUUID()}` })],
  ['MongoDB', mongo, 'skip' in mongod && mongod.skip],
];

describe('random histories get the same answers from a store and from a plain model', () => {
  for (const [name, placeOf, skip = false] of stores) {
    test(name, { skip }, async (t) => {
      const { url, settle = () => Promise.resolve(), others = 0 } = await placeOf(t);
      const store = await openStore(url);
      t.after(() => store.close());
      const opened: Asked[] = [];
      for (let i = 0; i < others; i++) opened.push((await openElsewhere(t, url)).store);
      await fc.assert(
        fc.asyncProperty(history, async (steps) => {
          await empty(store);
          await compareHistory([store, ...opened], steps, settle);
        }),
        { numRuns: 300, interruptAfterTimeLimit: milliseconds },
      );
    });
  }
});

async function empty(store: BookStore): Promise<void> {
  for await (const page of store.list()) await Promise.all(page.map(({ id }) => store.delete(id)));
}
