import { randomBytes } from 'node:crypto';
import { after, describe, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { openStore, type BookStore } from '../../src/index.ts';
import { startMongod } from '../support/mongod.ts';
import { compareHistory, history } from '../support/questions.ts';
import { temporaryFolder } from '../support/temp.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

/** So long for each store, at the most. */
const milliseconds = 12_000;

const stores: [name: string, url: (t: TestContext) => Promise<string>, skip: string | false][] = [
  ['embedded', async (t) => `file:${await temporaryFolder(t)}`, false],
  ['MongoDB', mongoUrl, 'skip' in mongod ? mongod.skip : false],
];

function mongoUrl(t: TestContext): Promise<string> {
  if ('skip' in mongod) throw new Error(mongod.skip);
  const url = new URL(mongod.url);
  url.pathname = `/shelflist_${randomBytes(6).toString('hex')}`;
  t.after(async () => {
    const client = await new MongoClient(url.href).connect();
    await client.db().dropDatabase();
    await client.close();
  });
  return Promise.resolve(url.href);
}

describe('the answers of a store are those of the plainest code', () => {
  for (const [name, urlOf, skip] of stores) {
    test(name, { skip }, async (t) => {
      const store = await openStore(await urlOf(t));
      t.after(() => store.close());
      await fc.assert(
        fc.asyncProperty(history, async (steps) => {
          await empty(store);
          await compareHistory(store, steps);
        }),
        { numRuns: 300, interruptAfterTimeLimit: milliseconds },
      );
    });
  }
});

async function empty(store: BookStore): Promise<void> {
  for await (const page of store.list()) await Promise.all(page.map(({ id }) => store.delete(id)));
}
