import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { after, describe, test, type TestContext } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { failCommands, insertRaw, openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongodToFail } from '../../support/mongod.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

const mongod = await startMongodToFail();
const noMongod = 'skip' in mongod ? mongod.skip : false;
const isGiven = !('skip' in mongod) && mongod.crash === undefined;
const skip = noMongod || (isGiven && 'the server was given by its URL: these tests need one of their own');
const { pause, resume } = 'skip' in mongod ? {} : mongod;
after(() => ('skip' in mongod ? undefined : mongod.stop()));

/** A process that opens the store, keeps creating books, and closes the store at SIGTERM; then it ends by itself. */
async function startWriter(t: TestContext, url: string): Promise<ChildProcess> {
  const script = `import { openStore } from './src/index.ts';
    const store = await openStore(process.argv[1]);
    const book = { title: 'Emma', author: 'Jane Austen', year: 1815 };
    let isEnding = false;
    const write = async () => {
      while (!isEnding) await store.create(book).catch(() => undefined);
    };
    const all = Array.from({ length: 8 }, write);
    process.once('SIGTERM', async () => {
      isEnding = true;
      await store.close();
      await Promise.all(all);
    });
    process.stdout.write('open');`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script, url];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/** Fails if the process is not gone within 10 s. */
async function assertEnds(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  const [code, signal] = (await once(child, 'exit', { signal: AbortSignal.timeout(10_000) })) as [
    number,
    string,
  ];
  assert.deepEqual([code, signal], [0, null]);
}

describe('close', { skip }, () => {
  test('during a backfill, with creates in flight, ends the process', async (t) => {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    await insertRaw(
      db,
      Array.from({ length: 30_000 }, (_, i) => ({ _id: i + 1, ...emma })),
    );
    const child = await startWriter(t, url);
    await assertEnds(child);
    assert.ok((await db.collection('books').countDocuments({ rev: null })) > 0, 'the backfill was over');
  });

  test('while an insert is stuck on the server ends the process', async (t) => {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    const child = await startWriter(t, url);
    await failCommands(db, 100, { failCommands: ['insert'], blockConnection: true, blockTimeMS: 20_000 });
    await assertEnds(child);
    await failCommands(db, 0);
  });

  test('while the server does not answer ends the process', async (t) => {
    const url = newDatabaseUrl(mongod);
    await openDriver(t, url);
    const child = await startWriter(t, url);
    pause?.();
    try {
      await assertEnds(child);
    } finally {
      resume?.();
    }
  });

  test('leaves no cursor on the server', async (t) => {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    const store = await openStore(url);
    await store.create(emma);
    await store.version();
    await store.close();
    const ns = `${db.databaseName}.books`;
    const cursors = db.client
      .db('admin')
      .aggregate([{ $currentOp: { idleCursors: true } }, { $match: { ns } }]);
    assert.deepEqual(await cursors.toArray(), []);
  });
});
