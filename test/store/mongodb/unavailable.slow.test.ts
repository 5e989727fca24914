import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { openStore } from '../../../src/index.ts';
import type { CompleteStore } from '../../../src/store.ts';
import { startMongodToFail } from '../../support/mongod.ts';
import { useMongod } from '../../support/mongodb-tests.ts';

const { mongod, skip, database, opened } = await useMongod(startMongodToFail);

describe('a server that does not answer', () => {
  test('fails the start, and the error names no credential', async (t) => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    t.after(() => silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const hosts = ['127.0.0.1:1', `127.0.0.1:${port}`, 'nowhere.invalid', '127.0.0.1:1,127.0.0.1:2'];
    await Promise.all(
      hosts.map(async (host) => {
        const error = await openStore(`mongodb://someone:s3cr%3Dt@${host}/db?authSource=hidden`).then(
          () => assert.fail('opened'),
          (reason: unknown) => reason as Error & { code: string },
        );
        assert.equal(error.code, 'store_unusable');
        assert.match(error.message, new RegExp(`cannot use the database mongodb://${host}/db: `));
        assertNoCredentials(error);
      }),
    );
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
  const noControl =
    crash === undefined && 'the server was given by its URL: these tests need one of their own';

  test(
    'is answered "unavailable" within 5 s while it is gone, and used again when it is back',
    { skip: noControl },
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

  test('the same while it accepts connections and says nothing', { skip: noControl }, async (t) => {
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

  async function assertUnavailable(store: CompleteStore): Promise<void> {
    const uses = [
      store.create(emma),
      store.get(1),
      store.update(1, { year: 1 }),
      store.delete(99),
      store.find({ q: 'emma' }, { limit: 1 }),
      store.count({ q: 'emma' }),
      store.version(),
      store.iterate()[Symbol.asyncIterator]().next(),
    ];
    for (const result of await Promise.allSettled(uses)) {
      assert.equal(result.status, 'rejected');
      const { code, cause } = result.reason as { code: string; cause: unknown };
      assert.equal(code, 'unavailable');
      assert.ok(cause instanceof Error);
    }
  }
});
