import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { MongoClient } from 'mongodb';
import { openStore } from '../../../src/index.ts';
import { reindex, settle } from '../../../src/store/mongodb/backfill.ts';
import { createBooks } from '../../../src/store/mongodb/create.ts';
import { findBooks } from '../../../src/store/mongodb/find.ts';
import { openDatabase, type Database } from '../../../src/store/mongodb/schema.ts';
import { bookOf } from '../../support/books.ts';
import { useMongod } from '../../support/mongodb-tests.ts';

const { skip, database } = await useMongod();
const onDamaged = (id: number) => assert.fail(`${id} is damaged`);
const progress = { onIndexed: () => undefined, onDamaged };
const isEmpty = () => Promise.resolve(false);

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

async function pageOf(own: Database) {
  const signal = AbortSignal.timeout(10_000);
  const reading = { database: own, maxTimeMS: 10_000, signal, onDamaged };
  return findBooks(reading, { sort: 'title' }, { limit: 100 });
}

async function titlesIn(own: Database): Promise<string[]> {
  return (await pageOf(own)).books.map(({ title }) => title);
}

const create = (own: Database, title: string) =>
  createBooks(own, [{ fields: bookOf({ title }), batch: undefined, user: undefined }]);

describe('a service that has not yet noticed other rules of the order', { skip }, () => {
  test('lists every book, and what it writes gets its place when the change is settled', async (t) => {
    const [changing, other] = await services(t);
    const signal = AbortSignal.timeout(60_000);
    await changing.order.choose({ sortArticles: ['die'] }, isEmpty);
    await reindex(changing, progress, signal);
    await create(changing, 'Die Biene');
    await create(other, 'Die Zeit');
    const late = ['Die Ameise', 'Die Biene', 'Die Zeit', 'The Cat'];
    assert.deepEqual((await titlesIn(other)).sort(), late);
    assert.deepEqual((await titlesIn(changing)).sort(), late);
    assert.equal((await changing.order.refresh(0)).isSettling, true);
    await settle(changing, progress, signal, 0);
    assert.equal((await changing.order.refresh(0)).isSettling, false);
    await other.order.refresh(0);
    for (const each of [changing, other])
      assert.deepEqual(await titlesIn(each), ['Die Ameise', 'Die Biene', 'The Cat', 'Die Zeit']);
  });

  test('is waited for by the next start, if the change was cut off', async (t) => {
    const [changing, other] = await services(t);
    const signal = AbortSignal.timeout(60_000);
    await changing.order.choose({ sortArticles: ['die'] }, isEmpty);
    await reindex(changing, progress, signal);
    await create(other, 'Die Zeit');
    await assert.rejects(settle(changing, progress, AbortSignal.abort(), 0));
    await other.order.refresh(0);
    await reindex(other, progress, signal);
    await settle(other, progress, signal, 0);
    assert.deepEqual(await titlesIn(other), ['Die Ameise', 'The Cat', 'Die Zeit']);
  });

  test('refuses no wish of another one: the last wish holds', async (t) => {
    const [first, second] = await services(t);
    const signal = AbortSignal.timeout(60_000);
    await Promise.all([
      first.order.choose({ sortArticles: ['die'] }, isEmpty),
      second.order.choose({ sortNames: 'written' }, isEmpty),
    ]);
    await Promise.all([reindex(first, progress, signal), reindex(second, progress, signal)]);
    for (const each of [first, second]) await each.order.refresh(0);
    assert.deepEqual(first.order.rules, second.order.rules);
    assert.deepEqual([first.order.rules.names, first.order.rules.articles], ['written', ['die']]);
    assert.deepEqual(await titlesIn(first), ['Die Ameise', 'The Cat']);
  });
});

describe('the position of a page', { skip }, () => {
  test('names the rules, and each step while keys are made again', async (t) => {
    const [own] = await services(t);
    const names = new Set<string>();
    const note = async () => names.add(String((await pageOf(own)).end?.order));
    await note();
    await own.order.choose({ sortArticles: ['die'] }, isEmpty);
    await note();
    await own.order.advance(own.order.rules, 1);
    await own.order.refresh(0);
    await note();
    await reindex(own, progress, AbortSignal.timeout(60_000));
    await own.order.refresh(0);
    await note();
    assert.equal(names.size, 4);
  });
});
