import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { MongoClient } from 'mongodb';
import { openStore } from '../../../src/index.ts';
import { makeOrder } from '../../../src/store/mongodb/backfill.ts';
import { createBooks } from '../../../src/store/mongodb/create.ts';
import { findBooks } from '../../../src/store/mongodb/find.ts';
import { buildIndexes } from '../../../src/store/mongodb/indexes.ts';
import { openDatabase, type Database } from '../../../src/store/mongodb/schema.ts';
import { bookOf } from '../../support/books.ts';
import { useMongod } from '../../support/mongodb-tests.ts';

const { skip, database } = await useMongod();
const onDamaged = (id: number) => assert.fail(`${id} is damaged`);
const progress = { onIndexed: () => undefined, onDamaged };

/** Two services on a database with books, whose order ignores _the_. */
async function services(t: TestContext): Promise<[Database, Database]> {
  const { url } = await database(t);
  const store = await openStore(url, { sortArticles: ['the'] });
  for (const title of ['The Cat', 'Die Ameise']) await store.create({ title });
  await store.close();
  const open = async () => {
    const client = await new MongoClient(url).connect();
    t.after(() => client.close());
    const opened = openDatabase(client, client.db().databaseName);
    await opened.order.refresh(0);
    return opened;
  };
  return [await open(), await open()];
}

const change = (own: Database, articles: string[] | undefined, lease: () => Promise<void>) =>
  makeOrder(
    own,
    articles,
    progress,
    (indexes) => buildIndexes(own.books, indexes),
    AbortSignal.timeout(60_000),
    lease,
  );

async function titlesIn(own: Database): Promise<string[]> {
  const signal = AbortSignal.timeout(10_000);
  const reading = { database: own, maxTimeMS: 10_000, signal, onDamaged };
  const { books } = await findBooks(reading, { sort: 'title' }, { limit: 100 });
  return books.map(({ title }) => title);
}

const create = (own: Database, title: string) =>
  createBooks(own, [{ fields: bookOf({ title }), batch: undefined, user: undefined }]);

describe('a service that has not yet noticed a change of the order by title', { skip }, () => {
  for (const [articles, isMade, after] of [
    [['die'], true, ['Die Ameise', 'The Ant', 'The Cat', 'Die Zeit']],
    [[], false, ['Die Ameise', 'Die Zeit', 'The Ant', 'The Cat']],
  ] as [string[], boolean, string[]][])
    test(`lists and writes every book for all: to ${articles.join() || 'none'}`, async (t) => {
      const [changing, other] = await services(t);
      let leases = 0;
      await change(changing, articles, async () => {
        if (++leases === 1 && isMade) {
          await other.order.refresh(0); // It begins to make the next keys, too.
          return;
        }
        await create(changing, 'The Ant');
        await create(other, 'Die Zeit');
        assert.deepEqual(await titlesIn(other), ['The Ant', 'The Cat', 'Die Ameise', 'Die Zeit']);
        assert.deepEqual(await titlesIn(changing), after);
        await other.order.refresh(0);
      });
      assert.equal(leases, isMade ? 2 : 1);
      for (const each of [changing, other]) assert.deepEqual(await titlesIn(each), after);
      assert.equal((await changing.order.refresh(0)).last, undefined);
    });

  test('is waited for by the next start, if the change was cut off', async (t) => {
    const [changing, other] = await services(t);
    let leases = 0;
    const killed = change(changing, ['die'], async () => {
      if (++leases === 1) await other.order.refresh(0);
      else throw new Error('killed');
    });
    await assert.rejects(killed, /killed/);
    const waits: string[][] = [];
    await change(changing, ['an'], async () => {
      waits.push([...changing.order.now.articles]);
      await create(changing, `The ${waits.length}`);
      if (waits.length === 1) assert.deepEqual(await titlesIn(other), ['The 1', 'The Cat', 'Die Ameise']);
      await other.order.refresh(0);
    });
    assert.deepEqual(waits, [['die'], ['die'], ['an']]);
    assert.deepEqual(await titlesIn(other), ['Die Ameise', 'The 1', 'The 2', 'The 3', 'The Cat']);
  });
});
