import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import { MongoClient } from 'mongodb';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { openStore } from '../../../src/index.ts';
import { openDriver, until } from '../../support/mongo-driver.ts';
import { memberThatIs, newDatabaseUrl, startMongods } from '../../support/mongod.ts';
import type { Member } from '../../support/replica-set.ts';

const set = await startMongods({ count: 3, electionTimeoutMillis: 4000 });
const skip = 'skip' in set ? set.skip : false;
after(() => ('skip' in set ? undefined : set.stop()));

test('the first read from a new primary waits until the majority has its writes', { skip }, async (t) => {
  const members = 'skip' in set ? [] : set.members;
  const url = newDatabaseUrl(set);
  await openDriver(t, url);
  const store = await openStore(url);
  t.after(() => store.close());
  await store.create(emma);
  const old = await memberThatIs('isWritablePrimary', members);
  const others = members.filter((each) => each !== old);

  // The last write reaches one other member, which must become the primary, and then learns nothing of the majority.
  const [next, late] = others as [Member, Member];
  await stopReplication(t, late, true);
  await store.update(1, { year: 1 });
  await stopReplication(t, old, true);
  await command(t, old, { replSetStepDown: 60, force: true }).catch(() => undefined);
  assert.equal((await memberThatIs('isWritablePrimary', members)).url, next.url);

  let isRead = false;
  const reading = store.get(1).finally(() => {
    isRead = true;
  });
  const waiting = {
    $match: { 'command.readConcern.afterClusterTime': { $exists: true }, appName: 'shelflist' },
  };
  const pipeline = [{ $currentOp: { allUsers: true } }, waiting];
  await until(async () => {
    const { cursor } = await command(t, next, { aggregate: 1, pipeline, cursor: {} });
    return isRead || (cursor as { firstBatch: unknown[] }).firstBatch.length > 0;
  }, 'the read waits');
  const wasRead = isRead;
  for (const each of [old, late]) await stopReplication(t, each, false);
  assert.equal((await reading)?.year, 1);
  assert.equal(wasRead, false, 'the read waited');
});

/** Stops a member from fetching writes; it still votes. */
async function stopReplication(t: TestContext, member: Member, isStopped: boolean): Promise<void> {
  const mode = isStopped ? 'alwaysOn' : 'off';
  await command(t, member, { configureFailPoint: 'stopReplProducer', mode });
}

async function command(t: TestContext, { url }: Member, document: Record<string, unknown>) {
  const client = new MongoClient(url, { directConnection: true });
  t.after(() => client.close());
  return client.db('admin').command(document);
}
