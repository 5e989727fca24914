import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, describe, test, type TestContext } from 'node:test';
import type { Document } from 'mongodb';
import { openStore, type BookStore } from '../../../src/index.ts';
import { insertRaw, openDriver, until } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';

const mongod = await startMongod();
const skip = 'skip' in mongod ? mongod.skip : false;
after(() => ('skip' in mongod ? undefined : mongod.stop()));

async function database(t: TestContext) {
  const url = newDatabaseUrl(mongod);
  return { url, db: await openDriver(t, url) };
}

async function opened(t: TestContext, url: string): Promise<BookStore> {
  const store = await openStore(url);
  t.after(() => store.close());
  return store;
}

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

describe('the database', { skip }, () => {
  test('holds books under their integer _id with their index entry, and the last id in counters', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    await store.create(emma);
    const [book, ...others] = await db.collection('books').find().toArray();
    const { rev, ...rest }: Document = book ?? {};
    const index = { words: ['emma', 'jane', 'austen'], title: 'emma', author: 'jane austen', year: 1815 };
    assert.deepEqual([rest, others], [{ _id: 1, ...emma, index }, []]);
    assert.match(String(rev), /^[\w-]{12}$/);
    assert.deepEqual(await db.collection('counters').find().toArray(), [{ _id: 'books', seq: 1 }]);
  });

  test('is prepared by many services at once', async (t) => {
    const { url } = await database(t);
    const stores = await Promise.all(Array.from({ length: 8 }, () => opened(t, url)));
    const books = await Promise.all(stores.map((store) => store.create(emma)));
    assert.equal(new Set(books.map((book) => book.id)).size, 8);
  });

  test('is "shelflist" when the address names none', async (t) => {
    const store = await opened(t, newDatabaseUrl(mongod).replace(/shelflist_\w+/, ''));
    assert.match(store.description, /\/shelflist$/);
  });

  test('a counter that is lost is made again, past every book', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    await store.create(emma);
    await store.create(emma);
    await db.collection('counters').deleteMany({});
    const books = await Promise.all(Array.from({ length: 20 }, () => store.create(emma)));
    assert.equal(new Set(books.map((book) => book.id)).size, 20);
    assert.ok(books.every((book) => book.id > 2));
  });

  test('refuses a book that is too large for it, and its neighbours in the same call are stored', async (t) => {
    const { url } = await database(t);
    const store = await opened(t, url);
    const huge = { ...emma, title: 'x'.repeat(16 * 1024 * 1024) };
    const results = await Promise.allSettled([emma, emma, huge, emma].map((fields) => store.create(fields)));
    assert.deepEqual(
      results.map((result) =>
        result.status === 'rejected' ? (result.reason as { code: string }).code : 'stored',
      ),
      ['stored', 'stored', 'invalid_input', 'stored'],
    );
    await assert.rejects(store.update(1, { title: huge.title }), { code: 'invalid_input' });
  });

  test('writes ask for the majority and the journal, whatever the address says', async (t) => {
    const { url } = await database(t);
    const store = await opened(t, `${url}&w=0&journal=false&readPreference=secondary&retryWrites=false`);
    const { id } = await store.create(emma); // With w=0 an insert of the same id twice would pass unseen.
    assert.deepEqual(await store.get(id), { id, ...emma });
  });
});

describe('a server that does not answer', () => {
  test('is given up on within 5 s at the start, and no credential is named', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const hosts = ['127.0.0.1:1', `127.0.0.1:${port}`, 'nowhere.invalid', '127.0.0.1:1,127.0.0.1:2'];
    await Promise.all(
      hosts.map(async (host) => {
        const begun = performance.now();
        const error = await openStore(`mongodb://someone:s3cr%3Dt@${host}/db?authSource=hidden`).then(
          () => assert.fail('opened'),
          (reason: unknown) => reason as Error & { code: string },
        );
        assert.ok(performance.now() - begun < 5000);
        assert.equal(error.code, 'store_unusable');
        assert.match(
          error.message,
          new RegExp(
            `cannot use the database mongodb://${host}${host.endsWith('invalid') ? ':27017' : ''}/db: `,
          ),
        );
        assertNoCredentials(error);
      }),
    );
    silent.close();
  });

  for (const url of [
    'mongodb://someone:s3cr=t@',
    'mongodb://someone:x/s3cr=t?@127.0.0.1:1/',
    'mongodb://someone:s3cr=t@h:x/',
    'mongodb://a:s3cr=t@h/?w=s3cr=t&tls=maybe',
    'mongodb+srv://someone:s3cr=t@h:1/',
  ]) {
    test(`a malformed address is refused without its credentials: ${url.replaceAll('s3cr=t', '…')}`, async () => {
      const error = await openStore(url).then(
        () => assert.fail('opened'),
        (reason: unknown) => reason as Error,
      );
      assertNoCredentials(error);
    });
  }

  function assertNoCredentials(error: Error): void {
    const texts = [error.message, error.stack ?? '', String(error.cause), JSON.stringify(error)];
    for (const text of texts) assert.doesNotMatch(text, /s3cr|someone|hidden/);
  }
});

describe('a server that fails later', { skip }, () => {
  const { crash, restart, pause, resume } = 'skip' in mongod ? {} : mongod;
  const noFaults =
    crash === undefined && 'the server was given by its URL: these tests need one of their own';

  test(
    'is answered "unavailable" within 5 s while it is gone, and used again when it is back',
    { skip: noFaults },
    async (t) => {
      const { url } = await database(t);
      const store = await opened(t, url);
      await store.create(emma);
      await crash?.();
      await assertUnavailable(store);
      await restart?.();
      assert.deepEqual(await store.get(1), { id: 1, ...emma });
      assert.equal((await store.create(emma)).id > 1, true);
    },
  );

  test('the same while it accepts connections and says nothing', { skip: noFaults }, async (t) => {
    const { url } = await database(t);
    const store = await opened(t, url);
    await store.create(emma);
    pause?.();
    try {
      await assertUnavailable(store);
    } finally {
      resume?.();
    }
    // The update may have happened or not, by now.
    assert.equal((await store.get(1))?.title, emma.title);
  });

  async function assertUnavailable(store: BookStore): Promise<void> {
    const begun = performance.now();
    const uses = [
      store.create(emma),
      store.get(1),
      store.update(1, { year: 1 }),
      store.delete(99),
      store.find({ q: 'emma' }, { limit: 1 }),
      store.count({ q: 'emma' }),
      store.version(),
      store.list()[Symbol.asyncIterator]().next(),
    ];
    for (const result of await Promise.allSettled(uses)) {
      assert.equal(result.status, 'rejected');
      const { code, cause } = result.reason as { code: string; cause: unknown };
      assert.equal(code, 'unavailable');
      assert.ok(cause instanceof Error);
    }
    assert.ok(performance.now() - begun < 5000);
  }
});
