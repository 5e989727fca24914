import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import { version } from '../../../package.json';
import { openStore } from '../../../src/index.ts';
import { newestFormat } from '../../../src/store/mongodb/migrations.ts';
import { askAll, insertKept, keptAnswers, keptFormats } from '../../support/formats.ts';
import { openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';

const historyDays = 36_500;
const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));
const skip = 'skip' in mongod && mongod.skip;

async function database(t: TestContext) {
  const url = newDatabaseUrl(mongod);
  const db = await openDriver(t, url);
  const mark = async () => db.collection('counters').findOne({ _id: 'format' as never });
  return { url, db, mark };
}

for (const format of keptFormats)
  describe(`a database of format ${format}`, { skip }, () => {
    test('is migrated at the start: no book, state, batch or id is lost, and searches find the books', async (t) => {
      const { url, db, mark } = await database(t);
      await insertKept(format, db);
      const expected = await keptAnswers(format, 'mongodb');
      const lines: string[] = [];
      const info = (_: object, message: string) => lines.push(message);
      const store = await openStore(url, { historyDays, logger: { info, warn: info, error: info } });
      assert.deepEqual(await askAll(store, expected), expected);
      assert.equal((await store.create({ title: 'Next' })).id, expected.lastId + 1);
      await store.close();
      assert.deepEqual(lines.slice(0, 2), [
        'migrating the database to a newer format',
        'migrated the database',
      ]);
      assert.deepEqual(await mark(), { _id: 'format', seq: newestFormat, release: version });
    });

    test('is migrated again after a start that was killed before the mark, and by several services at once', async (t) => {
      const { url, db, mark } = await database(t);
      await insertKept(format, db);
      const expected = await keptAnswers(format, 'mongodb');
      await (await openStore(url, { historyDays })).close();
      await db.collection('counters').deleteOne({ _id: 'format' as never });
      const stores = await Promise.all([1, 2, 3].map(() => openStore(url, { historyDays })));
      t.after(() => Promise.all(stores.map((store) => store.close())));
      for (const store of stores) assert.deepEqual(await askAll(store, expected), expected);
      assert.equal((await mark())?.seq, newestFormat);
    });
  });

test(
  'a new database has the newest format, and a later one is refused with the release that wrote it',
  { skip },
  async (t) => {
    const { url, db, mark } = await database(t);
    await (await openStore(url)).close();
    assert.equal((await mark())?.seq, newestFormat);
    const later = { $set: { seq: 99, release: '7.8.9' } };
    await db.collection('counters').updateOne({ _id: 'format' as never }, later);
    await assert.rejects(openStore(url), {
      code: 'store_unusable',
      message: new RegExp(
        `shelflist 7\\.8\\.9 wrote the database in format 99, and this is ${version}, which knows formats`,
      ),
    });
  },
);

test('a service stops its work when a later release has migrated the database', { skip }, async (t) => {
  const { url, db } = await database(t);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const store = await openStore(url);
  t.after(() => store.close());
  await store.create({ title: 'Emma' });
  const later = { $set: { seq: 99, release: '7.8.9' } };
  await db.collection('counters').updateOne({ _id: 'format' as never }, later);
  t.mock.timers.tick(5000);
  for (;;) {
    const error = await store.create({ title: 'Persuasion' }).then(
      () => undefined,
      (reason: unknown) => reason as { code: string; message: string },
    );
    if (error === undefined) continue;
    assert.equal(error.code, 'unavailable');
    assert.match(error.message, /^shelflist 7\.8\.9 wrote the database in format 99/);
    return;
  }
});
