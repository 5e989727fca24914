import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openStore } from '../../../src/index.ts';
import { openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));
const skip = 'skip' in mongod && mongod.skip;

test(
  'a service with other articles makes the keys of a MongoDB store anew, while another one writes',
  { skip },
  async (t) => {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    const first = await openStore(url, { sortArticles: ['the'] });
    t.after(() => first.close());
    await first.createMany(
      Array.from({ length: 1000 }, (_, i) => ({ title: `The ${String(i).padStart(4, '0')}` })),
    );
    const feed = await first.events();
    const titles = async (store = first) => {
      const { books } = await store.find({ sort: '-title' }, { limit: 3 });
      return books.map(({ title }) => title);
    };
    const before = await first.version();
    const second = await openStore(url, { sortArticles: ['a'] });
    t.after(() => second.close());
    const counters = db.collection<{ _id: string; seq: number; isSettling?: boolean }>('counters');
    const mark = () => counters.findOne({ _id: 'books.folding' });
    for (let i = 0; (await mark())?.seq !== Number.MAX_SAFE_INTEGER; i++) {
      await first.update(1000, { title: i % 2 === 0 ? 'A Zoo' : 'The Zoo' });
      await setTimeout(100); // Until the books have their keys.
    }
    await first.update(1000, { title: 'A Zoo' });
    await second.create({ title: 'A Zebra' });
    const expected = ['A Zoo', 'A Zebra', 'The 0998'];
    while ((await titles()).join() !== expected.join()) await setTimeout(100); // Until the first service knows the new order.
    assert.notEqual(await first.version(), before);
    assert.deepEqual(await titles(second), await titles());
    assert.equal(await first.count({}), 1001);
    const { events = [] } = await first.events({ since: feed.position });
    assert.ok(
      events.every(({ id }) => id >= 1000),
      'books that only got another key have not changed',
    );
    while ((await mark())?.isSettling === true) await setTimeout(100); // Until no service uses the old rules.
    assert.deepEqual(await titles(), expected);
  },
);
