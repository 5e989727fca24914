import { after } from 'node:test';
import { openStore } from '../../src/index.ts';
import { testStore } from '../../src/store-suite/store-suite.ts';
import { insertRaw, openDriver } from './mongo-driver.ts';
import { newDatabaseUrl } from './mongod.ts';

/** Tests the contract of a store on a MongoDB server, and stops the server. */
export function testMongodb(
  name: string,
  server: { url: string; stop: () => Promise<void> } | { skip: string },
): void {
  const skip = 'skip' in server ? server.skip : false;
  after(() => ('skip' in server ? undefined : server.stop()));

  testStore(
    name,
    async () => {
      const url = newDatabaseUrl(server);
      const cleanUps: (() => unknown)[] = [];
      const db = await openDriver({ after: (cleanUp) => void cleanUps.push(cleanUp) }, url);
      return {
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
        async remove() {
          for (const cleanUp of cleanUps) await cleanUp();
        },
      };
    },
    { skip },
  );
}
