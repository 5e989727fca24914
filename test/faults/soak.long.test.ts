import assert from 'node:assert/strict';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { createClient, ShelflistError, type Client } from '../../src/index.ts';
import { serve, settings } from '../support/cli.ts';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { exchange } from '../support/raw.ts';
import { sized } from '../support/size.ts';
import { temporaryFolder } from '../support/temp.ts';

/** The duration. The first part warms up the caches. */
const seconds = sized({
  short: { warm: 3, all: 8 },
  long: { warm: 30, all: 90 },
  soak: { warm: 60, all: 600 },
});
/** The tolerated growth of memory. A few seconds are too short for garbage collection. */
const growth = sized({ short: 1.5, long: 1.15, soak: 1.1 });
const clients = 12;

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const mongodPort = 'skip' in mongod ? 0 : Number(new URL(mongod.url).port);

const stores: [store: string, env: () => Record<string, string>, skip: string | false][] = [
  ['embedded', () => ({}), false],
  ['MongoDB', () => ({ DATABASE_URL: newDatabaseUrl(mongod) }), 'skip' in mongod && mongod.skip],
];

const skip = process.platform !== 'linux' && 'memory and descriptors are counted in /proc';

describe(
  `${seconds.all} s of mixed load: no memory is gone in the end, and no descriptor is left open`,
  { concurrency: true, skip },
  () => {
    for (const [store, env, without] of stores) {
      test(`${store} store`, { skip: without }, async (context) => {
        const service = await serve(context, await temporaryFolder(context), {
          ...settings,
          ...env(),
          NODE_OPTIONS: '', // What writes answers down for the tests keeps some of them in memory.
        });
        const pid = service.child.pid ?? 0;
        const first = await connect(service.url);
        await first.client.createMany(
          Array.from({ length: 2000 }, (_, i) => ({ title: `book ${i}`, author: 'Many' })),
        );
        await first.client.list({ q: 'book' }); // Starts the search thread.
        await first.close();
        const descriptors = await countDescriptors(pid, 0);

        const end = AbortSignal.timeout(seconds.all * 1000);
        const load = Promise.all(Array.from({ length: clients }, (_, i) => use(service.url, i, end)));
        const memory: number[] = [];
        while (!end.aborted) {
          memory.push(await residentMb(pid));
          await setTimeout((seconds.all - seconds.warm) * 10);
        }
        const requests = (await load).reduce((sum, each) => sum + each, 0);
        // A third of the time each: the collector of garbage lets memory rise and fall for many seconds.
        const afterWarm = memory.slice((memory.length * seconds.warm) / seconds.all);
        const third = Math.ceil(afterWarm.length / 3);
        const [warm, last] = [median(afterWarm.slice(0, third)), median(afterWarm.slice(-third))];
        context.diagnostic(
          `${requests} requests; ${warm.toFixed()} MB when warm, ${last.toFixed()} MB in the end`,
        );
        assert.ok(last < warm * growth, `${memory.map((mb) => mb.toFixed()).join(' ')} MB`);
        assert.equal(await countDescriptors(pid, descriptors), descriptors);
        assert.equal(await service.stop(), 0);
      });
    }
  },
);

/** A client with connections of its own, which end with it: those of the global `fetch` stay open for a minute. */
async function connect(url: string): Promise<{ client: Client; close: () => Promise<void> }> {
  const dispatcher = new Agent();
  const client = createClient({ url, fetch: (address, init) => fetch(address, { ...init, dispatcher }) });
  await client.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
  return { client, close: () => dispatcher.close() };
}

/** What a client does that uses everything, and makes mistakes; the number of books stays about the same. Gives its requests. */
async function use(url: string, number: number, end: AbortSignal): Promise<number> {
  const isOver = () => end.aborted;
  let requests = 0;
  while (!isOver()) {
    const { client, close } = await connect(url);
    for (let n = 0; n < 50; n++) {
      if (isOver()) break;
      const { id } = await client.create({
        title: `client ${number}, book ${n} é`,
        author: 'x'.repeat(n * 10),
        year: n,
      });
      await client.update(id, { year: -n });
      const known = await client.getTagged(id);
      await client.refresh(known);
      await client.list({ q: `book ${n}` });
      await client.page({ sort: '-title', limit: 20, count: true });
      if (n % 10 === number % 10) await client.list();
      await client.delete(id);
      await refused(client.get(id), 'book_not_found');
      await refused(client.page({ after: 'no cursor' }), 'invalid_query');
      requests += 10;
    }
    await exchange(Number(new URL(url).port), 'nonsense\r\n\r\n');
    await close();
  }
  return requests;
}

async function refused(answer: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(answer, (error) => error instanceof ShelflistError && error.code === code);
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** The number of open descriptors, once it is within the limit or stays constant. The MongoDB driver keeps its connections. */
async function countDescriptors(pid: number, expected: number): Promise<number> {
  for (let tries = 0; ; tries++) {
    const [open, ofDriver] = await Promise.all([descriptorsOf(pid), socketsTo(mongodPort)]);
    const { length } = open.filter((target) => !ofDriver.has(target));
    if (length <= expected || tries === 100) return length;
    await setTimeout(20);
  }
}

async function descriptorsOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder);
  return Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => 'closed meanwhile')));
}

/** What lead to a port of this machine, as descriptors name them. */
async function socketsTo(port: number): Promise<ReadonlySet<string>> {
  const rows = (await readFile('/proc/net/tcp', 'latin1')).split('\n').map((row) => row.trim().split(/ +/));
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return new Set(
    rows.filter(([, , remote]) => remote?.endsWith(`:${hex}`)).map((row) => `socket:[${row[9]}]`),
  );
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
