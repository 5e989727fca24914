import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { openStore } from '../../../src/index.ts';
import { inspectStore } from '../../../src/store/drivers.ts';
import { startMongods } from '../../support/mongod.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

const set = await startMongods({ root: { name: 'root', password: 'root' } });
const skip = 'skip' in set ? set.skip : false;
after(() => ('skip' in set ? undefined : set.stop()));

const password = 'p@ss/w?rd#1';

/** The URL of a database for a user with only these roles on it, and a role with these actions. */
async function urlFor(
  database: string,
  roles: (string | { role: string; db: string })[],
  { query = '', actions = [] as string[] } = {},
): Promise<string> {
  if ('skip' in set) throw new Error(set.skip);
  const hosts = set.url.replace(/^mongodb:\/\/([^/@]*@)?([^/?]*).*/s, '$2');
  const root = await new MongoClient(`mongodb://root:root@${hosts}/?replicaSet=testset`).connect();
  const all = roles.map((role) => (typeof role === 'string' ? { role, db: database } : role));
  if (actions.length > 0) {
    const role = `role_${database}`;
    const privileges = [{ resource: { db: database, collection: '' }, actions }];
    await root.db(database).command({ createRole: role, privileges, roles: [] });
    all.push({ role, db: database });
  }
  await root.db('admin').command({ createUser: database, pwd: password, roles: all });
  await root.close();
  return `mongodb://${database}:${encodeURIComponent(password)}@${hosts}/${database}?authSource=admin${query}`;
}

describe('a server with access control', { skip }, () => {
  test('serves a user who has only the role readWrite on the database', async (t) => {
    const url = await urlFor('few', ['readWrite']);
    const store = await openStore(url, { historyDays: 1 });
    t.after(() => store.close());
    await store.create(emma);
    const version = await store.version();
    await store.update(1, { year: 1816 });
    assert.notEqual(await store.version(), version);
    assert.equal(await store.count({ q: 'emma' }), 1);
    // With another lifetime of tombstones, the index is rebuilt.
    const again = await openStore(url, { historyDays: 7 });
    await again.close();
  });

  test('refuses a wrong password, with what to do', async () => {
    const url = await urlFor('wrong', ['readWrite']);
    await assert.rejects(
      openStore(url.replace('p%40ss', 'other')),
      /: Authentication failed; correct the user, the password or authSource in DATABASE_URL$/,
    );
  });

  test('an "@" in the options does not name another database', async (t) => {
    const store = await openStore(
      await urlFor('catalogue', ['readWrite'], { query: '&appName=a%40b%2Fother' }),
    );
    t.after(() => store.close());
    assert.match(store.description, /^mongodb:\/\/127\.0\.0\.1:\d+\/catalogue$/);
    assert.deepEqual(await store.create(emma), { id: 1, ...emma });
  });

  for (const roles of [['read'], []]) {
    test(`refuses a user with the roles [${roles.join()}], and names no credentials`, async () => {
      const url = await urlFor(`no_${roles.join()}`, roles);
      await assert.rejects(openStore(url), (error: Error & { code: string }) => {
        assert.equal(error.code, 'store_unusable');
        assert.match(
          error.message,
          /: its user lacks rights .*; grant it the role readWrite on this database$/,
        );
        return true;
      });
    });
  }

  test('serves a user who was dropped and recreated, without a restart', async (t) => {
    const url = await urlFor('again', ['readWrite']);
    const store = await openStore(url);
    t.after(() => store.close());
    await store.create(emma);
    if ('skip' in set) return;
    const hosts = set.url.replace(/^mongodb:\/\/([^/@]*@)?([^/?]*).*/s, '$2');
    const root = await new MongoClient(`mongodb://root:root@${hosts}/?replicaSet=testset`).connect();
    t.after(() => root.close());
    const admin = root.db('admin');
    await admin.command({ dropUser: 'again' });
    await assert.rejects(store.get(1), (error: Error & { code?: string; cause?: Error }) => {
      assert.equal(error.code, 'unavailable');
      assert.doesNotMatch(error.cause?.message ?? '', /find|filter/, 'the command is not logged');
      return true;
    });
    await admin.command({ createUser: 'again', pwd: password, roles: [{ role: 'readWrite', db: 'again' }] });
    let book: unknown;
    // The driver alone needs half a minute.
    for (let attempt = 0; attempt < 50 && book === undefined; attempt++) {
      book = await store.get(1).catch(() => undefined);
      if (book === undefined) await setTimeout(100);
    }
    assert.deepEqual(book, { id: 1, ...emma });
    await store.update(1, { year: 1816 });
    await store.version();
  });

  test('doctor reports a user who may only read, and the missing rights', async () => {
    const url = await urlFor('reader', ['readWrite']);
    await (await openStore(url)).close();
    if ('skip' in set) return;
    const reading = await urlFor('reader2', [{ role: 'read', db: 'reader' }]);
    const report = await inspectStore(reading.replace('/reader2?', '/reader?'));
    assert.deepEqual(report?.obstacles, [
      {
        finding: 'its user lacks rights that the service needs (insert, update, remove)',
        fix: 'grant it the role readWrite on the database reader',
      },
    ]);
  });

  const actions = [
    'find',
    'insert',
    'update',
    'remove',
    'listCollections',
    'listIndexes',
    'createCollection',
  ];

  test('refuses a user who may write books but not read their change stream', async () => {
    const url = await urlFor('no_stream', [], { actions: [...actions, 'createIndex'] });
    const message = /may not read the change stream of "books"; grant it the role readWrite/;
    await assert.rejects(openStore(url), { code: 'store_unusable', message });
  });

  test('refuses a user who may not create the indexes, and serves that user once they exist', async (t) => {
    const name = 'no_index';
    const url = await urlFor(name, [], { actions: [...actions, 'changeStream'] });
    const message =
      /may not create the indexes shelflist_words, .*; grant it the role readWrite, or create them/;
    await assert.rejects(openStore(url), { code: 'store_unusable', message });
    const root = await openStore(url.replace(/\/\/[^@]*@/, '//root:root@'));
    await root.close();
    const store = await openStore(url);
    t.after(() => store.close());
    await store.create(emma);
    await store.version();
    assert.equal(await store.count({ q: 'emma' }), 1);
  });
});
