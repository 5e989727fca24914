import assert from 'node:assert/strict';
import { after, mock, test, type TestContext } from 'node:test';
import { exampleBook as emma } from '../../src/catalogue/book.ts';
import { openStore } from '../../src/index.ts';
import { openDriver, until } from '../support/mongo-driver.ts';
import { isMongodbSelected, newDatabaseUrl, startSelectedMongod } from '../support/mongod.ts';
import { changeFile } from '../support/sqlite-file.ts';
import { temporaryFolder } from '../support/temp.ts';
import { fakeTime } from '../support/time.ts';

const mongod = await startSelectedMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const dayMs = 86_400_000;

interface Aging {
  readonly url: string;
  /** Makes everything that the log has as old as this. */
  readonly age: (days: number) => Promise<void> | void;
}

const allStores: [name: string, prepare: (t: TestContext) => Promise<Aging>, skip?: string | false][] = [
  [
    'file:',
    async (t) => {
      const folder = await temporaryFolder(t);
      const age = (days: number) => {
        changeFile(folder, `UPDATE changes SET at = at - ${days * dayMs}`);
      };
      return { url: `file:${folder}`, age };
    },
  ],
  [
    'memory:',
    (t) => {
      const { pass } = fakeTime(t);
      const age = (days: number) => {
        pass(days * dayMs);
      };
      return Promise.resolve({ url: 'memory:', age });
    },
  ],
  [
    'MongoDB',
    async (t) => {
      const url = newDatabaseUrl(mongod);
      const db = await openDriver(t, url);
      const earlier = (days: number, date: string) => ({ $subtract: [date, days * dayMs] });
      const ageEntry = (days: number) => ({
        $mergeObjects: ['$$entry', { at: earlier(days, '$$entry.at') }],
      });
      const age = async (days: number) => {
        const history = { $map: { input: '$history', as: 'entry', in: ageEntry(days) } };
        await db.collection('books').updateMany({ history: { $exists: true } }, [{ $set: { history } }]);
        const deletedAt = earlier(days, '$deletedAt');
        await db.collection('books').updateMany({ deletedAt: { $exists: true } }, [{ $set: { deletedAt } }]);
      };
      return { url, age };
    },
    'skip' in mongod && mongod.skip,
  ],
];
const stores = allStores.filter(([name]) => (name === 'MongoDB') === isMongodbSelected);

for (const [name, prepare, skip = false] of stores)
  test(`a state older than the history is not shown, nor reverted to: ${name}`, { skip }, async (t) => {
    const { url, age } = await prepare(t);
    const store = await openStore(url, { historyDays: 7 });
    t.after(() => store.close());
    for (let i = 0; i < 4; i++) await store.create(emma);
    await store.update(1, { year: 1 });
    await store.update(2, { year: 1 });
    await store.delete(3);
    const versions = await Promise.all([1, 2, 3].map(async (id) => (await store.history(id))?.[0]?.version));
    await age(6);
    assert.equal((await store.history(1))?.length, 1);
    assert.deepEqual(
      (await store.trash({ limit: 5 })).books.map(({ id }) => id),
      [3],
    );
    await age(2);
    await store.update(2, { year: 2 });
    await store.delete(4);
    assert.deepEqual(await store.history(1), []);
    assert.deepEqual(
      (await store.history(2))?.map(({ year }) => year),
      [1],
    );
    assert.equal(await store.history(3), undefined);
    assert.deepEqual(
      (await store.trash({ limit: 5 })).books.map(({ id }) => id),
      [4],
    );
    assert.equal(await store.revert(1), undefined);
    assert.equal(await store.revert(3), undefined);
    for (const [i, version] of versions.entries())
      assert.equal(await store.revert(i + 1, { version }), undefined);
    assert.equal((await store.revert(2))?.year, 1);
    assert.deepEqual(await store.revert(4), { id: 4, ...emma });
  });

for (const [name, prepare, skip = false] of stores.filter(([each]) => each !== 'memory:'))
  test(`what is too old is removed within an hour, also if nobody writes: ${name}`, { skip }, async (t) => {
    const { url, age } = await prepare(t);
    mock.timers.enable({ apis: ['setInterval'] });
    t.after(() => {
      mock.timers.reset();
    });
    const store = await openStore(url, { historyDays: 7 });
    t.after(() => store.close());
    for (let i = 0; i < 3; i++) await store.create(emma);
    await store.delete(1);
    await store.create(emma); // The log keeps its newest change.
    await age(8);
    // A later start, with a longer limit, would show it.
    const isGone = async () => {
      const other = await openStore(url, { historyDays: 30 });
      const { books } = await other.trash({ limit: 5 });
      await other.close();
      return books.length === 0;
    };
    assert.equal(await isGone(), false);
    // A busy database may refuse: then the next hour does it.
    await until(() => {
      mock.timers.tick(3_600_000);
      return isGone();
    }, 'it is removed');
  });
