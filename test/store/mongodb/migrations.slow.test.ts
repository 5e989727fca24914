import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, test, type TestContext } from 'node:test';
import { version } from '../../../package.json';
import { openStore } from '../../../src/index.ts';
import { inspectStore } from '../../../src/store/drivers.ts';
import { migrate, newestFormat } from '../../../src/store/mongodb/migrations.ts';
import { openDatabase } from '../../../src/store/mongodb/schema.ts';
import { compiledPath } from '../../support/compiled-path.ts';
import { askAll, insertKept, keptAnswers, keptDocuments } from '../kept-formats.ts';
import { openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';
import { sized } from '../../support/size.ts';

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

for (const format of keptDocuments)
  describe(`a database of format ${format}`, { skip }, () => {
    test('is migrated at the start: no book, state, batch or id is lost, and searches find the books', async (t) => {
      const { url, db, mark } = await database(t);
      await insertKept(format, db);
      const expected = await keptAnswers(format, 'mongodb');
      const lines: string[] = [];
      t.mock.timers.enable({ apis: ['setInterval'] });
      const info = (_: object, message: string) => {
        lines.push(message);
        if (lines.length === 1) t.mock.timers.tick(5000);
      };
      const store = await openStore(url, {
        historyDays,
        logger: { info: () => undefined, warn: info, error: info },
      });
      assert.deepEqual(await askAll(store, expected), expected);
      assert.equal((await store.create({ title: 'Next' })).id, expected.lastId + 1);
      await store.close();
      assert.deepEqual(lines.slice(0, 3), [
        'migrating the database to a newer format',
        'still migrating the database',
        'migrated the database',
      ]);
      assert.deepEqual(await mark(), { _id: 'format', seq: newestFormat, release: version });
    });

    test('is migrated again after a start that was killed before the mark, and by several services at once', async (t) => {
      const { url, db, mark } = await database(t);
      await insertKept(format, db);
      const expected = await keptAnswers(format, 'mongodb');
      await (await openStore(url, { historyDays })).close();
      const counters = db.collection<{ _id: string }>('counters');
      if (format < 3) await counters.deleteOne({ _id: 'format' });
      else await counters.updateOne({ _id: 'format' }, { $set: { seq: format } });
      const stores = await Promise.all([1, 2, 3].map(() => openStore(url, { historyDays })));
      t.after(() => Promise.all(stores.map((store) => store.close())));
      for (const store of stores) assert.deepEqual(await askAll(store, expected), expected);
      assert.equal((await mark())?.seq, newestFormat);
    });
  });

test(
  'articles of format 3 are kept by a migration that is run again, and entries that are made stay so',
  { skip },
  async (t) => {
    const { db } = await database(t);
    await insertKept(3, db);
    const counters = db.collection<{ _id: string }>('counters');
    const order = { $set: { order: { articles: ['der', 'die'], slot: 'a' }, seq: 0 } };
    await counters.updateOne({ _id: 'title_order' }, order, { upsert: true });
    const run = async () => {
      await counters.updateOne({ _id: 'format' }, { $set: { seq: 3 } });
      await migrate(openDatabase(db.client, db.databaseName), undefined);
      return counters.findOne({ _id: 'books.folding' });
    };
    const rules = '{"articles":["der","die"],"names":"family"}';
    const begun = { _id: 'books.folding', rules, seq: 0, version: '', isPlain: true };
    assert.deepEqual(await run(), begun);
    assert.deepEqual(await run(), begun, 'killed before the mark');
    const made = { _id: 'books.folding', rules, seq: Number.MAX_SAFE_INTEGER, version: 'made' };
    await counters.replaceOne({ _id: 'books.folding' }, made);
    assert.deepEqual(await run(), made, 'another service was faster');
    await counters.deleteOne({ _id: 'title_order' });
    assert.deepEqual(await run(), made, 'without the former document');
  },
);

test(
  'a new database has the newest format, and a later one is refused with the release that wrote it',
  { skip },
  async (t) => {
    const { url, db, mark } = await database(t);
    await (await openStore(url)).close();
    assert.equal((await mark())?.seq, newestFormat);
    const later = { $set: { seq: 99, release: '7.8.9' } };
    await db.collection('counters').updateOne({ _id: 'format' as never }, later);
    const refusal = {
      code: 'store_unusable',
      message: new RegExp(
        `shelflist 7\\.8\\.9 wrote the database in format 99, and this is ${version}, which knows formats`,
      ),
    };
    await assert.rejects(openStore(url), refusal);
    await assert.rejects(inspectStore(url), refusal);
    await db
      .collection('counters')
      .updateOne({ _id: 'format' as never }, { $set: { seq: newestFormat, migrating: 99 } });
    await assert.rejects(openStore(url), refusal);
  },
);

const opener = compiledPath(join(import.meta.dirname, '../../support/opener.ts'));
const writes = 'write,writev,sendto,sendmsg';

/** Opens a store in a process of its own, which SIGKILL ends at a write of one of its threads; `null` if none makes so many. */
function openKilled(url: string, when: number) {
  const inject = `inject=${writes}:signal=KILL:when=${when}`;
  const args = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${writes}`, '-e', 'signal=none', '-e', inject];
  const child = spawn('strace', [...args, process.execPath, opener, url], { stdio: 'ignore' });
  return new Promise((resolve) => {
    child.once('exit', (_, signal) => {
      resolve(signal);
    });
  });
}

const step = sized({ short: 60, long: 3 });
/** In the short form, the first and the last one. */
const formats = keptDocuments.filter((_, i, { length }) =>
  sized({ short: i % (length - 1) === 0, long: true }),
);
const { error } = spawnSync('strace', ['-o', '/dev/null', 'true']);
const noStrace = error !== undefined && `strace cannot be run here: ${error.message}`;

describe(
  `a start that migrates the database, killed at one write of ${step}`,
  { skip: skip || noStrace },
  () => {
    for (const format of formats)
      test(`leaves format ${format} or the newest one, and the next start loses nothing`, async (t) => {
        const expected = await keptAnswers(format, 'mongodb');
        const found = new Set<unknown>();
        let kills = 0;
        for (let isKilled = true; isKilled; kills += Number(isKilled)) {
          const { url, db, mark } = await database(t);
          await insertKept(format, db);
          isKilled = (await openKilled(url, step * kills + 1)) === 'SIGKILL';
          if (isKilled) found.add((await mark())?.seq);
          const store = await openStore(url, { historyDays });
          assert.deepEqual(await askAll(store, expected), expected, `killed at write ${step * kills + 1}`);
          await store.close();
          assert.equal((await mark())?.seq, newestFormat);
        }
        assert.ok(kills >= 60 / step, `${kills} kills`);
        const wanted = [format < 3 ? undefined : format, newestFormat]; // Older ones have no mark.
        // A few kills can all be before the mark.
        const missing = wanted.filter((each) => !found.delete(each));
        assert.deepEqual([[...found], sized({ short: [], long: missing })], [[], []]);
      });
  },
);

test('a later format without a release is refused in words', { skip }, async (t) => {
  const { url, db } = await database(t);
  await (await openStore(url)).close();
  const later: object = { $set: { seq: 99 }, $unset: { release: 1 } };
  await db.collection('counters').updateOne({ _id: 'format' as never }, later);
  await assert.rejects(openStore(url), /shelflist of a later release wrote the database in format 99/);
});

for (const { what, mark } of [
  { what: 'has migrated', mark: { seq: 99 } },
  { what: 'begins to migrate', mark: { migrating: 99 } },
])
  test(`a service stops its work when a later release ${what} the database`, { skip }, async (t) => {
    const { url, db } = await database(t);
    t.mock.timers.enable({ apis: ['setInterval'] });
    const store = await openStore(url);
    t.after(() => store.close());
    await store.create({ title: 'Emma' });
    const later: object = { $set: { ...mark, release: '7.8.9' } };
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
