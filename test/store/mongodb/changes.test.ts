import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import { NotedChanges } from '../../../src/store/mongodb/changes.ts';
import type { BookDocument, CounterDocument } from '../../../src/store/mongodb/prepare.ts';
import { Version } from '../../../src/store/mongodb/version.ts';
import { openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';

const mongod = await startMongod();
const skip = 'skip' in mongod ? mongod.skip : false;
after(() => ('skip' in mongod ? undefined : mongod.stop()));

/** The counters of a database of its own, and two services on it. */
async function database(t: TestContext) {
  const db = await openDriver(t, newDatabaseUrl(mongod));
  const counters = db.collection<CounterDocument>('counters');
  const collections = { books: db.collection<BookDocument>('books'), counters };
  const end = new AbortController();
  t.after(() => {
    end.abort();
  });
  const version = () => new Version(collections, { change: 5000, read: 5000 }, end.signal);
  return { counters, ours: version(), theirs: version() };
}

describe('what has changed', { skip }, () => {
  test('is named for the writes of two services at once, whose number is bounded', async (t) => {
    const { ours, theirs } = await database(t);
    await ours.change();
    const before = await ours.read();
    const noted = new NotedChanges(theirs);
    await Promise.all([ours, theirs].map((each, i) => each.change([i + 1])));
    await ours.change([3]);
    const { version, ids = [] } = await noted.since(before);
    assert.equal(version, await ours.read());
    assert.deepEqual(ids.map(({ first }) => first).sort(), [1, 2, 3]);
    for (let i = 0; i < 20; i++) await ours.change([i + 1]);
    assert.equal((await ours.readState()).recent.length, 16);
    assert.equal((await noted.since(before)).ids, undefined);
  });

  test('is all that writers name who share a version', async (t) => {
    const { ours } = await database(t);
    await ours.change();
    const before = await ours.read();
    await Promise.all([ours.change([9, 1]), ours.change([2]), ours.change([10])]);
    assert.deepEqual((await new NotedChanges(ours).since(before)).ids, [
      { first: 1, last: 2 },
      { first: 9, last: 10 },
    ]);
  });

  test('may be any book after a write of unknown fate', async (t) => {
    const { ours } = await database(t);
    await ours.change([1]);
    const before = await ours.read();
    await assert.rejects(ours.after(Promise.reject(new Error('unknown')), () => [2]));
    while ((await ours.read()) === before) continue;
    await ours.change([3]);
    const noted = new NotedChanges(ours);
    assert.equal((await noted.since(before)).ids, undefined);
  });

  test('may be any book once a minute: a service may have been killed before it named its write', async (t) => {
    const { ours } = await database(t);
    await ours.change([1]);
    const noted = new NotedChanges(ours);
    const now = performance.now.bind(performance);
    let passed = 0;
    t.mock.method(performance, 'now', () => now() + passed);
    const isNamed = async () => {
      const before = await ours.read();
      await ours.change([2]);
      return (await noted.since(before)).ids !== undefined;
    };
    assert.equal(await isNamed(), true);
    passed = 61_000;
    assert.deepEqual((await noted.since(await ours.read())).ids, []);
    assert.equal(await isNamed(), false);
    assert.equal(await isNamed(), true);
  });

  test('may be any book where somebody has put something else, until that is mended', async (t) => {
    const { counters, ours } = await database(t);
    await ours.change([1]);
    const before = await ours.read();
    await counters.updateOne({ _id: 'books' }, { $set: { recent: 'x' as never, version: 'other' } });
    assert.equal((await new NotedChanges(ours).since(before)).ids, undefined);
    await assert.rejects(ours.after(Promise.resolve(), () => [1]));
    while ((await ours.read()) === 'other') continue;
    await ours.change([7]);
    assert.deepEqual((await ours.readState()).recent.at(-1)?.[1], [[7, 7]]);
  });
});
