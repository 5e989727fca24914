import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { wireErrorCode } from '../../src/catalogue/errors.ts';
import { openStore, ShelflistError, type Book } from '../../src/index.ts';
import { withTimeout } from '../../src/lib/timeout.ts';
import { bookOf } from '../support/books.ts';
import { serve, settings } from '../support/cli.ts';
import { compiledPath } from '../support/compiled-path.ts';
import { Ledger, type LedgerClient } from '../support/ledger.ts';
import { createRandom, seedOfRun } from '../support/random.ts';
import { credentials, sendRequest } from '../support/service.ts';
import { onlyLong, sized } from '../support/size.ts';
import { faultsOf } from '../support/sqlite-file.ts';
import { temporaryFolder } from '../support/temp.ts';
import { DiskFaults, type Fault } from './disk-faults.ts';
import type { Order, Report } from './disk-victim.ts';

/** One in this many calls fails, each in a run of its own; another one in each short run. */
const every = {
  usual: sized({ short: 701, long: 1 }),
  /** Faults that SQLite treats as others. */
  rarely: sized({ short: 701, long: 5 }),
  /** Few files are opened. */
  often: 1,
};
const seed = seedOfRun();
/** Nothing here needs a real disk, whose syncs take most of the time. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : undefined;
/** A request is answered within 5 s, a start or a stop within 10 s; a busy machine takes longer. */
const [answerMs, startMs] = [8000, 20_000];

const { EIO, ENOSPC, EDQUOT, EMFILE } = constants.errno;
const writing = ['write', 'sync', 'truncate', 'name'] as const;

interface DiskFault extends Fault {
  /** One in this many calls. Default: the usual number. */
  readonly every?: number;
  /** SQLite cannot tell it from damage of the file, which is a 500. */
  readonly isDamage?: boolean;
}

const faults: [name: string, fault: DiskFault][] = [
  ['a read fails (EIO)', { calls: ['read'], error: EIO }],
  ['all reads fail from then on (EIO)', { calls: ['read'], error: EIO, isLasting: true, isDamage: true }],
  ['a write, a sync or a change of a file fails (EIO)', { calls: writing, error: EIO }],
  ['the disk is full from then on (ENOSPC)', { calls: writing, error: ENOSPC, isLasting: true }],
  ['a quota is reached for one call (EDQUOT)', { calls: writing, error: EDQUOT, every: every.rarely }],
  ['a read or a write is short', { calls: ['read', 'write'], every: every.rarely }],
  ['a file cannot be opened (EIO)', { calls: ['open'], error: EIO, every: every.often }],
  [
    'no descriptor is left from then on (EMFILE)',
    { calls: ['open'], error: EMFILE, isLasting: true, every: every.often },
  ],
];

const skip = await DiskFaults.create({ after: () => undefined }).then(
  () => false as const,
  (error: unknown) => `no C compiler (cc) can be run here: ${(error as Error).message.trim()}`,
);

/** The process of the service, which must survive all faults. */
class Victim {
  readonly #child: ChildProcess;

  constructor(t: TestContext, { env }: DiskFaults) {
    const script = compiledPath(join(import.meta.dirname, 'disk-victim.ts'));
    this.#child = fork(script, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    t.after(() => this.#child.kill('SIGKILL'));
  }

  async follow(order: Order): Promise<Report> {
    const given = new AbortController();
    const { signal } = given;
    try {
      const reported = once(this.#child, 'message', { signal }) as Promise<[Report]>;
      const ended = once(this.#child, 'exit', { signal }).then(([code, name]) => {
        throw new Error(`the process of the service ended: ${code} ${name}`);
      });
      this.#child.send(order);
      const [report] = await withTimeout(startMs, Promise.race([reported, ended]));
      return report;
    } finally {
      given.abort();
    }
  }
}

/** A client that sends each request once. To the ledger, damage is an outage. */
function createOnce(url: string, token: string, isDamage: boolean) {
  const send = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const { status, envelope } = await withTimeout(answerMs, sendRequest(url, method, path, { token, body }));
    if (status < 300) return envelope?.data as Data;
    const code = wireErrorCode(status, envelope?.message ?? '') ?? 'bad_response';
    throw new ShelflistError(isDamage && code === 'internal' ? 'unavailable' : code, {
      message: `${method} ${path}: ${status} ${envelope?.message}`,
    });
  };
  const books: LedgerClient = {
    create: (fields) => send<Book>('POST', '/book', fields),
    update: (id, patch) => send<Book>('PUT', `/book/${id}`, patch),
    delete: (id) => send('DELETE', `/book/${id}`),
    revert: (id) => send<Book>('POST', `/book/${id}/revert`),
    get: (id) => send<Book>('GET', `/book/${id}`),
  };
  return { ...books, send };
}

/** Uses a service in each way, as long as it answers; each write is in the ledger. */
async function use(url: string, ledger: Ledger, isDamage: boolean): Promise<void> {
  const login = await sendRequest(url, 'POST', '/token', { body: credentials });
  const client = createOnce(url, (login.envelope?.data as { token: string }).token, isDamage);
  const bookNo = (n: number) => bookOf({ title: `book ${n}`, year: n });
  const read = async (path: string) => {
    await client.send('GET', path).catch((error: unknown) => {
      assert.equal((error as ShelflistError).code, 'unavailable', String(error));
    });
  };
  const ids = [await ledger.create(client, bookNo(1))];
  ids.push(...(await Promise.all([2, 3].map((n) => ledger.create(client, bookNo(n))))));
  const [first, second] = ids.filter((id) => id !== undefined);
  if (first !== undefined) {
    await ledger.update(client, first, { year: 100 });
    await ledger.read(client, first);
  }
  if (second !== undefined) {
    await ledger.delete(client, second);
    await ledger.revert(client, second);
  }
  const imported = Array.from({ length: 20 }, (_, i) => bookNo(10 + i));
  const importing = client.send<{ ids: number[] }>('POST', '/books', imported);
  await ledger.createMany(
    importing.then((data) => data.ids),
    imported,
  );
  for (const path of ['/books', '/books?q=book', '/stats', '/trash', '/readyz']) await read(path);
}

/** Only starts on an existing store, reads and writes a little: the rest is as on a new one. */
async function useBriefly(url: string, ledger: Ledger, isDamage: boolean): Promise<void> {
  const login = await sendRequest(url, 'POST', '/token', { body: credentials });
  const client = createOnce(url, (login.envelope?.data as { token: string }).token, isDamage);
  await ledger.read(client, 1);
  await ledger.update(client, 2, { year: 3 });
}

/** Two books and a log, as a killed service leaves them. */
async function prepareStore(folder: string, ledger: Ledger): Promise<void> {
  const live = `${folder}-live`;
  const store = await openStore(`file:${live}`);
  const client = { ...store, revert: undefined } as unknown as LedgerClient;
  for (const year of [1, 2]) await ledger.create(client, bookOf({ title: `kept ${year}`, year }));
  await mkdir(folder);
  for (const name of ['shelflist.db', 'shelflist.db-wal']) await cp(join(live, name), join(folder, name));
  await store.close();
  await rm(live, { recursive: true });
}

const starts: [name: string, prepare: (folder: string, ledger: Ledger) => Promise<void>, uses: typeof use][] =
  [
    ['a new store', () => Promise.resolve(), use],
    ['a store with a log', prepareStore, useBriefly],
  ];

/** In the short form, each fault comes in one kind of start, and each kind of start has some. */
const isSecond = (start: string, fault: number) => starts.findIndex(([name]) => name === start) !== fault % 2;

describe(
  `when a call on a file fails, no acknowledged write is lost, no id is given twice, and the process survives (TEST_SEED=${seed})`,
  { skip, concurrency: 2 },
  () => {
    for (const [start, prepare, uses] of starts)
      for (const [i, [name, fault]] of faults.entries())
        test(`${start}: ${name}`, { skip: isSecond(start, i) && onlyLong }, async (t) => {
          const disk = await DiskFaults.create(t);
          const parent = await temporaryFolder(t, memory);
          const victim = new Victim(t, disk);
          const outcomes = { failed: 0, refusedStarts: 0, acknowledged: 0, unknown: 0 };
          const step = fault.every ?? every.usual;
          for (let n = 1 + createRandom(seed)(step); ; n += step) {
            const ledger = new Ledger();
            const folder = join(parent, String(n));
            await prepare(folder, ledger);
            disk.arm(folder, fault, n);
            const report = await victim.follow({ databaseUrl: `file:${folder}` });
            try {
              assert.ok(typeof report === 'object');
              if ('url' in report) {
                await uses(report.url, ledger, fault.isDamage === true);
                await victim.follow('stop');
              } else {
                outcomes.refusedStarts++;
                assert.match(report.refusal, /^[^\n]+(\n[^\n]+)?$/);
              }
              disk.disarm();
              await check(folder, ledger);
            } catch (error) {
              (error as Error).message = `call ${n} (${disk.outcome().hit}): ${(error as Error).message}`;
              throw error;
            }
            outcomes.acknowledged += ledger.acknowledged;
            outcomes.unknown += ledger.unknown;
            await rm(folder, { recursive: true, force: true });
            if (disk.outcome().hits === 0) break;
            outcomes.failed++;
          }
          if (step === 1) assert.ok(outcomes.failed > 0, 'no call has failed');
          t.diagnostic(JSON.stringify(outcomes));
        });
  },
);

describe(
  'a start of the program, of which a call fails, works, or ends with a status and at most two lines',
  { skip },
  () => {
    const step = sized({ short: 151, long: 7 });
    for (const [start, prepare] of starts)
      for (const [i, [name, fault]] of faults.slice(0, 4).entries())
        test(`${start}: ${name}`, { skip: isSecond(start, i) && onlyLong }, async (t) => {
          const disk = await DiskFaults.create(t);
          const parent = await temporaryFolder(t, memory);
          const outcomes = { works: 0, ends: 0 };
          for (let n = 1 + createRandom(seed)(step); ; n += step) {
            const ledger = new Ledger();
            const folder = join(parent, String(n));
            await prepare(folder, ledger);
            disk.arm(folder, fault, n);
            const env = { ...settings, ...disk.env, DATABASE_URL: `file:${folder}` };
            const service = await serve(t, parent, env).catch((error: unknown) => (error as Error).message);
            const { hits, hit } = disk.outcome();
            disk.disarm();
            if (typeof service === 'string') {
              outcomes.ends++;
              assert.match(service, /^serve ended with 1: shelflist: [^\n]+\n([^\n]+\n)?$/, hit);
            } else {
              outcomes.works++;
              assert.equal(await service.stop(), 0, hit);
            }
            await check(folder, ledger);
            if (hits === 0) break;
          }
          t.diagnostic(JSON.stringify(outcomes));
        });
  },
);

/** Opens the store without faults, and compares it with what was acknowledged. */
async function check(folder: string, ledger: Ledger): Promise<void> {
  const store = await openStore(`file:${folder}`);
  const books: Book[] = [];
  for await (const page of store.iterate()) books.push(...page);
  ledger.check(books, { isSettled: true });
  const { id } = await store.create({ title: 'after' });
  assert.ok(
    books.every((book) => book.id < id),
    `id ${id} is not new`,
  );
  await store.close();
  assert.deepEqual(faultsOf(folder), []);
}
