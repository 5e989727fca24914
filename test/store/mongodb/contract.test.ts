import { after } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { insertRaw, openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod, startMongods } from '../../support/mongod.ts';
import { testStore } from '../suite.ts';

for (const [name, server] of [
  ['MongoDB, a replica set of one', await startMongod()],
  ['MongoDB, a replica set of three', await startMongods({ count: 3 })],
] as const) {
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
        async remove() {
          for (const cleanUp of cleanUps) await cleanUp();
        },
      };
    },
    { skip },
  );
}
