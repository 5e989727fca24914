import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test, type TestContext } from 'node:test';
import { failCommands, until } from '../../support/mongo-driver.ts';
import { startMongodToFail } from '../../support/mongod.ts';
import { useMongod } from '../../support/mongodb-tests.ts';
import { sized } from '../../support/size.ts';

const { mongod, skip, openedTwice: opened } = await useMongod(startMongodToFail);
const isGiven = !('skip' in mongod) && mongod.crash === undefined;
const noControl = isGiven && 'the server was given by its URL: this test needs one of its own';

const rounds = sized({ short: 60, long: 1000 });

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

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
  test('covers a write whose service was killed right after it', { skip: noControl }, async (t) => {
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

  test(`changes with each of ${2 * rounds} writes through another store, as soon as it is acknowledged`, async (t) => {
    const { store, other } = await opened(t);
    await store.create(emma);
    const seen = new Set([await other.version()]);
    for (let year = 1; year <= rounds; year++) {
      await store.update(1, { year });
      seen.add(await other.version());
      await store.create(emma);
      seen.add(await other.version());
    }
    assert.equal(seen.size, 2 * rounds + 1);
  });

  test('is the same for a service that sets the resume point while another one begins to read', async (t) => {
    const { store, other, db } = await opened(t);
    const admin = db.client.db('admin');
    const { count } = (await admin.command({
      configureFailPoint: 'failCommand',
      mode: { times: 1 },
      data: {
        appName: 'shelflist',
        failCommands: ['find'],
        namespace: `${db.databaseName}.counters`,
        blockConnection: true,
        blockTimeMS: 1000,
      },
    })) as unknown as { count: number };
    const slower = other.version();
    await admin.command({ waitForFailPoint: 'failCommand', timesEntered: count + 1, maxTimeMS: 10_000 });
    // The time of the server goes on, so the other stream begins later.
    await db.collection('others').insertOne({});
    const faster = await store.version();
    assert.equal(await slower, faster);
  });
});

test(
  'a change stream that fails to open leaves no cursor on the server',
  { skip: skip || noControl },
  async (t) => {
    const { store, db } = await opened(t);
    const namespace = `${db.databaseName}.counters`;
    const badValue = 2;
    await failCommands(db, 1, { failCommands: ['find'], namespace, errorCode: badValue });
    await assert.rejects(store.events(), { code: 'unavailable' });
    const match = { type: 'idleCursor', ns: `${db.databaseName}.books` };
    const pipeline = [{ $currentOp: { idleCursors: true } }, { $match: match }];
    const cursors = () => db.client.db('admin').aggregate(pipeline).toArray();
    await until(async () => (await cursors()).length === 0, 'the cursor is closed');
  },
);
