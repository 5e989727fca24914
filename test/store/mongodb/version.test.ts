import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, describe, test, type TestContext } from 'node:test';
import type { Db } from 'mongodb';
import { openStore, type BookStore } from '../../../src/index.ts';
import { failCommands, insertRaw, openDriver, until } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';

const mongod = await startMongod();
const skip = 'skip' in mongod ? mongod.skip : false;
const isGiven = !('skip' in mongod) && mongod.crash === undefined;
const noFaults = isGiven && 'the server was given by its URL: this test needs one of its own';
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

async function opened(t: TestContext): Promise<{ url: string; store: BookStore; other: BookStore; db: Db }> {
  const url = newDatabaseUrl(mongod);
  const db = await openDriver(t, url);
  const [store, other] = await Promise.all([openStore(url), openStore(url)]);
  t.after(() => Promise.all([store.close(), other.close()]));
  return { url, store, other, db };
}

/** Opens the store in another process, which deletes book 1 on request. */
async function startDeleter(t: TestContext, url: string) {
  const script = `import { openStore } from './src/index.ts';
    const store = await openStore(process.argv[1]);
    process.stdout.write('open');
    process.stdin.once('data', () => store.delete(1));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script, url];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

describe('the version', { skip }, () => {
  test('covers a write whose service was killed right after it', { skip: noFaults }, async (t) => {
    const { url, store, db } = await opened(t);
    await store.create(emma);
    const before = await store.version();
    // The service cannot write anything besides the book.
    const namespace = `${db.databaseName}.counters`;
    const block = { blockConnection: true, blockTimeMS: 10_000 } as const;
    const child = await startDeleter(t, url);
    await failCommands(db, 1000, { failCommands: ['update', 'findAndModify'], namespace, ...block });
    child.stdin.write('go');
    await until(async () => (await store.get(1)) === undefined, 'the book is deleted');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await store.delete(1);
    const version = await store.version();
    await failCommands(db, 0); // Waits for the blocked commands.
    assert.notEqual(version, before);
  });

  test('changes with each of 2,000 writes through another store, as soon as it is acknowledged', async (t) => {
    const { store, other } = await opened(t);
    await store.create(emma);
    const seen = new Set([await other.version()]);
    for (let year = 1; year <= 1000; year++) {
      await store.update(1, { year });
      seen.add(await other.version());
      await store.create(emma);
      seen.add(await other.version());
    }
    assert.equal(seen.size, 2001);
  });

  test('is the same for services that start later, before anything is written', async (t) => {
    const { url, store, other } = await opened(t);
    const version = await store.version();
    const third = await openStore(url);
    t.after(() => third.close());
    assert.deepEqual([await other.version(), await third.version()], [version, version]);
    await third.create(emma);
    const later = await store.version();
    const fourth = await openStore(url);
    t.after(() => fourth.close());
    assert.deepEqual([await other.version(), await fourth.version()], [later, later]);
  });

  test('is the same for many services that first ask at the same moment', async (t) => {
    const { url } = await opened(t);
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(url)));
    t.after(() => Promise.all(stores.map((each) => each.close())));
    const versions = await Promise.all(stores.map((each) => each.version()));
    assert.equal(new Set(versions).size, 1);
  });

  test('changes with a write of another program, and when the collection is dropped', async (t) => {
    const { store, db } = await opened(t);
    await store.create(emma);
    const versions = [await store.version()];
    await insertRaw(db, [{ _id: 5, ...emma }]);
    versions.push(await store.version());
    await db.collection('books').drop();
    const { version, ids } = await store.changes(versions[1] ?? '');
    assert.equal(ids, undefined);
    assert.equal(new Set([...versions, version]).size, 3);
    await store.create(emma);
    assert.notEqual(await store.version(), version);
  });

  test('starts over when the mark in the stream is lost, corrupt or from another server', async (t) => {
    const { url, store, db } = await opened(t);
    await store.create(emma);
    await store.version();
    const counters = db.collection<{ _id: string }>('counters');
    let year = 0;
    const future = `82FFFFFFFF${'0'.repeat(8)}2B0229296E04`;
    for (const position of [
      undefined,
      'x',
      { _data: 'x' },
      { _data: future },
      { _data: '8200000001000000012B0229296E04' },
    ]) {
      await counters.updateOne({ _id: 'books.stream' }, { $set: { position, version: 'old' } });
      const another = await openStore(url);
      t.after(() => another.close());
      const version = await another.version();
      assert.notEqual(version, 'old');
      await store.update(1, { year: ++year });
      assert.notEqual(await another.version(), version);
    }
  });

  test('continues after the stream broke on the server, and names the books changed meanwhile', async (t) => {
    const { store, db } = await opened(t);
    await store.create(emma);
    const before = await store.version();
    assert.equal(await store.version(), before);
    const admin = db.client.db('admin');
    const match = { type: 'idleCursor', ns: `${db.databaseName}.books` };
    const cursors = await admin
      .aggregate([{ $currentOp: { idleCursors: true } }, { $match: match }])
      .toArray();
    await db.command({
      killCursors: 'books',
      cursors: cursors.map(({ cursor }) => (cursor as { cursorId: bigint }).cursorId),
    });
    assert.ok(cursors.length > 0);
    assert.equal(await store.version(), before);
    await store.update(1, { year: 1 });
    assert.deepEqual((await store.changes(before)).ids, [{ first: 1, last: 1 }]);
  });

  test('names no books after too many changes', async (t) => {
    const { store, db } = await opened(t);
    const before = await store.version();
    const documents = Array.from({ length: 30_000 }, (_, i) => ({ _id: i + 1, ...emma }));
    await insertRaw(db, documents);
    const { version, ids } = await store.changes(before);
    assert.equal(ids, undefined);
    await store.update(7, { year: 1 });
    assert.deepEqual((await store.changes(version)).ids, [{ first: 7, last: 7 }]);
  });
});
