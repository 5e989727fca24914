import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openStore, type Book } from '../../../src/index.ts';
import type { CompleteStore } from '../../../src/store.ts';
import { openDriver } from '../../support/mongo-driver.ts';
import { memberThatIs, newDatabaseUrl, startMongods } from '../../support/mongod.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

const set = await startMongods({ count: 3, electionTimeoutMillis: 1000 });
const skip = 'skip' in set ? set.skip : false;
after(() => ('skip' in set ? undefined : set.stop()));

describe('when the primary is killed', { skip }, () => {
  test('every service finds every acknowledged book, and no version is repeated', async (t) => {
    const url = newDatabaseUrl(set);
    await openDriver(t, url);
    const [store, other] = await Promise.all([openStore(url), openStore(url)]);
    t.after(() => Promise.all([store.close(), other.close()]));
    const acknowledged: Book[] = [];
    /** The books of each version seen. */
    const versions = new Map<string, string>();

    async function write(writer: CompleteStore, count: number): Promise<void> {
      for (let done = 0; done < count && !t.signal.aborted;) {
        const book = await writer.create(emma).catch(ignoreUnavailable);
        if (book === undefined) continue;
        acknowledged.push(book);
        done++;
      }
    }

    /** Checks that every acknowledged book is found, and that equal versions have equal books. */
    async function check(reader: CompleteStore): Promise<void> {
      const known = acknowledged.map(({ id }) => id);
      const version = await reader.version();
      const found = await reader.find({ author: 'jane austen' }, { limit: 1000 });
      const ids = new Set(found.books.map(({ id }) => id));
      for (const id of known) assert.ok(ids.has(id), `book ${id} is found`);
      const seen = [...ids].sort((a, b) => a - b).join();
      if ((await reader.version()) === version) {
        assert.equal(versions.get(version) ?? seen, seen);
        versions.set(version, seen);
      }
    }

    await write(store, 20);
    for (let kill = 0; kill < 2; kill++) {
      const primary = await memberThatIs('isWritablePrimary', 'skip' in set ? [] : set.members);
      const state = { isOver: false };
      const writing = Promise.all([write(store, 60), write(other, 60)]).finally(() => {
        state.isOver = true;
      });
      await primary.crash();
      while (!state.isOver)
        await Promise.all([store, other].map((reader) => check(reader).catch(ignoreUnavailable)));
      await writing;
      await Promise.all([store, other].map(check));
      await primary.restart();
      await memberThatIs('secondary', [primary]);
    }
    assert.equal(await store.version(), await other.version());
  });
});

function ignoreUnavailable(error: unknown): undefined {
  if ((error as { code?: string }).code !== 'unavailable') throw error;
}
