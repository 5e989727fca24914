import { MongoClient } from 'mongodb';
import { exampleBook } from '../../../src/catalogue/book.ts';
import { coalesceRequests } from '../../../src/lib/coalesce.ts';
import { openDatabase, type Database } from '../../../src/store/mongodb/schema.ts';
import { takeIds } from '../../../src/store/mongodb/counter.ts';
import { createBooks } from '../../../src/store/mongodb/create.ts';
import { printTable, readable } from './table.ts';

/** The number of services. */
const services = [1, 2, 5, 10, 25, 50, 100];
/** The number of callers of all services together. Each creates one book after the other. */
const callers = [100, 1000];
/** The number of ids that a service takes at once, in the alternative. */
const blockSize = 100;

/** A way for a service to create books. */
interface Allocator {
  readonly name: string;
  readonly open: (database: Database) => () => Promise<unknown>;
}

/** As the store does it: creates that wait at the same moment share a step of the counter and an insert. */
const gathered: Allocator = {
  name: 'gathered',
  open(database) {
    const create = coalesceRequests(
      (all: readonly { fields: typeof exampleBook; batch: undefined; user: undefined }[]) =>
        createBooks(database, all),
    );
    return () => create({ fields: exampleBook, batch: undefined, user: undefined });
  },
};

/** Ids alone, in the same way. */
const idsOnly: Allocator = {
  name: 'gathered, ids only',
  open(database) {
    const take = coalesceRequests(async (all: readonly true[]) => {
      const first = await takeIds(database, all.length);
      return all.map((_, i) => ({ value: first + i }));
    });
    return () => take(true);
  },
};

/** An alternative: each service takes blocks of ids in advance. Ids are then not in the order of the creates. */
const inBlocks: Allocator = {
  name: `blocks of ${blockSize}, ids only`,
  open(database) {
    let block: Promise<number> | undefined;
    let left = 0;
    return () => {
      if (left === 0) {
        block = takeIds(database, blockSize);
        left = blockSize;
      }
      left--;
      return block ?? Promise.resolve();
    };
  },
};

/** Measures how often services update the counter, and how many books they create. */
export async function measureIds(url: string, seconds: number): Promise<void> {
  for (const { name, open } of [gathered, idsOnly, inBlocks])
    for (const all of name === gathered.name ? callers : callers.slice(-1)) {
      const rows = [];
      for (const count of services) rows.push(await measure(url, open, count, all, seconds));
      printTable(`Ids, ${name}: ${all} callers`, rows);
    }
}

async function measure(url: string, open: Allocator['open'], count: number, all: number, seconds: number) {
  const clients = await Promise.all(
    Array.from({ length: count }, () => MongoClient.connect(url, { maxPoolSize: 4, monitorCommands: true })),
  );
  let steps = 0;
  const databases = clients.map((client) => {
    client.on('commandStarted', ({ commandName }) => {
      if (commandName === 'findAndModify') steps++;
    });
    return openDatabase(client, 'scale_ids');
  });
  await databases[0]?.db.dropDatabase();
  try {
    const creates = databases.map(open);
    for (const create of creates) await create(); // Opens the connections, and makes the collections.
    steps = 0;
    const latencies: number[] = [];
    const end = performance.now() + seconds * 1000;
    const call = async (index: number) => {
      while (performance.now() < end) {
        const begun = performance.now();
        await creates[index % count]?.();
        latencies.push(performance.now() - begun);
        await new Promise(setImmediate);
      }
    };
    await Promise.all(Array.from({ length: all }, (_, index) => call(index)));
    latencies.sort((a, b) => a - b);
    const at = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(0);
    return {
      services: count,
      'per second': readable(latencies.length / seconds),
      'steps per second': readable(steps / seconds),
      'steps per id': (steps / latencies.length).toFixed(3),
      'p50 ms': at(0.5),
      'p99 ms': at(0.99),
    };
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}
