import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, describe, test, type TestContext } from 'node:test';
import { MongoClient, type Document } from 'mongodb';
import { openStore, type BookStore } from '../../../src/index.ts';
import { startMongod } from '../../support/mongod.ts';
import { testStore } from '../suite.ts';

const mongod = await startMongod();
const skip = 'skip' in mongod ? mongod.skip : false;
after(() => ('skip' in mongod ? undefined : mongod.stop()));

/** The URL of a database of its own on the test server. */
function databaseUrl(name = `shelflist_${randomBytes(6).toString('hex')}`): string {
  if ('skip' in mongod) throw new Error(mongod.skip);
  const url = new URL(mongod.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** The driver itself, on the database of a URL, which is dropped at the end. */
async function driver(url: string) {
  const client = await new MongoClient(url).connect();
  return {
    db: client.db(),
    drop: async () => {
      await client.db().dropDatabase();
      await client.close();
    },
  };
}

async function database(t: TestContext) {
  const url = databaseUrl();
  const { db, drop } = await driver(url);
  t.after(drop);
  return { url, db };
}

async function opened(t: TestContext, url: string): Promise<BookStore> {
  const store = await openStore(url);
  t.after(() => store.close());
  return store;
}

testStore(
  'MongoDB',
  async () => {
    const url = databaseUrl();
    const { db, drop } = await driver(url);
    return {
      open: () => openStore(url),
      async putBack(books) {
        const documents = books.map(({ id, ...fields }) => ({ _id: id, ...fields }));
        await db.collection('books').insertMany(documents as Document[]);
      },
      remove: drop,
    };
  },
  { skip },
);

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

/** Without what the indexes know. */
const bare = { index: 0, indexed: 0 };

describe('the database', { skip }, () => {
  test('holds books under their integer _id, and the last id, the version and the last writes in counters', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    await store.create(emma);
    const [book, ...others] = await db.collection('books').find({}, { projection: bare }).toArray();
    assert.deepEqual([book, others], [{ _id: 1, ...emma }, []]);
    const version = await store.version();
    const [counter, ...otherCounters] = await db.collection('counters').find().toArray();
    const { recent, ...rest }: Document = counter ?? {};
    assert.deepEqual([rest, otherCounters], [{ _id: 'books', seq: 1, version }, []]);
    assert.deepEqual((recent as unknown[]).at(-1), [version, [[1, 1]]]);
  });

  test('is prepared by many services at once', async (t) => {
    const { url } = await database(t);
    const stores = await Promise.all(Array.from({ length: 8 }, () => opened(t, url)));
    const books = await Promise.all(stores.map((store) => store.create(emma)));
    assert.equal(new Set(books.map((book) => book.id)).size, 8);
  });

  test('is "shelflist" when the address names none', async (t) => {
    const store = await opened(t, databaseUrl(''));
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

  test('a record that is no book is an error and never an answer', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    const records: Document[] = [
      { _id: 1, title: 'no author', year: 1 },
      { _id: 2, title: 'x', author: 'x', year: 1.5 },
      { _id: 3, title: 'x', author: 'x', year: '1815' },
    ];
    await db.collection('books').insertMany(records);
    for (const { _id } of records) await assert.rejects(store.get(_id as never), { code: 'store_damaged' });
  });

  const foreign: [
    what: string,
    fill: (db: Awaited<ReturnType<typeof driver>>['db']) => Promise<unknown>,
    message: RegExp,
  ][] = [
    [
      'books with other ids',
      (db) => db.collection('books').insertOne({ title: 'x' }),
      /"books" holds something else/,
    ],
    [
      'a counter that is no number',
      (db) => db.collection('counters').insertOne({ _id: 'books', seq: 'x' } as Document),
      /counter of ids is not a number/,
    ],
    [
      'a view in the place of books',
      (db) => db.createCollection('books', { viewOn: 'other', pipeline: [] }),
      /"books" is a view/,
    ],
  ];
  for (const [what, fill, message] of foreign) {
    test(`with ${what} is refused`, async (t) => {
      const { url, db } = await database(t);
      await fill(db);
      await assert.rejects(openStore(url), (error: Error & { code: string }) => {
        assert.equal(error.code, 'store_unusable');
        assert.match(error.message, message);
        return true;
      });
    });
  }
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
        assert.match(error.message, new RegExp(`cannot use the database mongodb://${host}/db: `));
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

  test('a write of unknown fate is followed by a new version', { skip: noFaults }, async (t) => {
    const { url } = await database(t);
    const [store, reader] = [await opened(t, url), await opened(t, url)];
    await store.create(emma);
    const version = await reader.version();
    pause?.();
    try {
      await assert.rejects(store.update(1, { year: 1816 }), { code: 'unavailable' });
    } finally {
      resume?.();
    }
    const deadline = Date.now() + 20_000;
    while ((await reader.version()) === version) assert.ok(Date.now() < deadline);
    // It is any book, unless the driver has learned later what became of the write.
    const { ids = [{ first: 1, last: 1 }] } = await reader.changes(version);
    assert.deepEqual(ids, [{ first: 1, last: 1 }]);
  });

  test('does not hold up close with what goes on in the background', { skip: noFaults }, async (t) => {
    const { url } = await database(t);
    const store = await opened(t, url);
    await Promise.all(Array.from({ length: 3000 }, () => store.create(emma)));
    pause?.();
    try {
      await assert.rejects(store.delete(1), { code: 'unavailable' });
      const begun = performance.now();
      await store.close();
      assert.ok(performance.now() - begun < 5000);
    } finally {
      resume?.();
    }
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
