import { randomUUID } from 'node:crypto';
import { after, describe, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { openStore, type BookStore } from '../../src/index.ts';
import { indexed, openDriver } from './mongo-driver.ts';
import { newDatabaseUrl, startMongod } from './mongod.ts';
import { compareHistory, history, type Asked } from './questions.ts';
import { openElsewhere } from './remote-store.ts';
import { withinTime } from './size.ts';
import { temporaryFolder } from './temp.ts';

interface Place {
  url: string;
  /** Waits for the background work of the store. Default: no wait. */
  settle?: () => Promise<void>;
  /** The number of other processes that have the store open. */
  others?: number;
}

/** Compares each store with a simple model, for at most this time each. */
export async function testHistories({
  numRuns,
  limitMs,
}: {
  numRuns: number;
  limitMs: number;
}): Promise<void> {
  const mongod = await startMongod();
  after(() => ('skip' in mongod ? undefined : mongod.stop()));

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

  describe('a store and a simple model give the same answers after random histories', () => {
    for (const [name, placeOf, skip = false] of stores) {
      test(name, { skip }, async (t) => {
        const { url, settle = () => Promise.resolve(), others = 0 } = await placeOf(t);
        const store = await openStore(url);
        t.after(() => store.close());
        const opened: Asked[] = [];
        for (let i = 0; i < others; i++) opened.push((await openElsewhere(t, url)).store);
        await fc.assert(
          fc.asyncProperty(
            history,
            withinTime(limitMs, async (steps) => {
              await empty(store);
              await compareHistory([store, ...opened], steps, settle);
            }),
          ),
          { numRuns },
        );
      });
    }
  });
}

async function empty(store: BookStore): Promise<void> {
  for await (const page of store.list()) await Promise.all(page.map(({ id }) => store.delete(id)));
}
