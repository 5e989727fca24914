import { after, beforeEach } from 'node:test';
import type { Db } from 'mongodb';
import { openStore } from '../../../src/index.ts';
import { testStore, type StorePlace, type TestRunner } from '../../../src/store-suite/store-suite.ts';
import { insertRaw, openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl } from '../../support/mongod.ts';

/** A database with more books is dropped. */
const maxBooksToDelete = 500;

/** Tests the contract of a store on a MongoDB server, and stops the server. */
export function testMongodb(
  name: string,
  server: { url: string; stop: () => Promise<void> } | { skip: string },
  runner?: TestRunner,
): void {
  if ('skip' in server) {
    testStore(name, () => Promise.reject(new Error(server.skip)), { skip: server.skip });
    return;
  }
  const cleanUps: (() => unknown)[] = [server.stop];
  let url = '';
  let db: Db;
  beforeEach(async (t) => {
    // The server remembers the events of earlier tests in a database, which a wrong position may find.
    const needsOwn = 'fullName' in t && t.fullName.includes('> events >');
    if (url !== '' && !needsOwn) return;
    url = newDatabaseUrl(server);
    db = await openDriver({ after: (cleanUp) => cleanUps.unshift(cleanUp) }, url);
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  const place = (): Promise<StorePlace> =>
    Promise.resolve({
      open: () => openStore(url),
      putBack: (books) =>
        insertRaw(
          db,
          books.map(({ id, ...fields }) => ({ _id: id, ...fields })),
        ),
      async ageKeys(milliseconds) {
        const keys = db.collection('repeat_keys');
        await keys.updateMany({}, [{ $set: { at: { $subtract: ['$at', milliseconds] } } }]);
      },
      remove: () => empty(db),
    });
  testStore(name, place, { runner });
}

/** Removes all documents. The indexes stay for the next test, as the server needs more time to build them than for most tests. */
async function empty(db: Db): Promise<void> {
  const collections = await db.collections();
  if ((await db.collection('books').estimatedDocumentCount()) > maxBooksToDelete) await db.dropDatabase();
  else await Promise.all(collections.map((each) => each.deleteMany({})));
}
