import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { serve, type RunningService } from '../support/cli.ts';
import { connect } from '../support/client.ts';
import { Ledger } from '../support/ledger.ts';
import { Load } from './load.ts';
import { findMongodOrSkip, newDatabaseUrl, startOwnMongod } from '../support/mongod.ts';
import { credentials, secretToken } from '../support/service.ts';
import { sized } from '../support/size.ts';
import { startProxy, type Proxy } from './proxy.ts';
import { temporaryFolder } from '../support/temp.ts';

const outageMs = sized({ short: 1500, long: 30_000 });
/** The service gives up before 5 s; the rest is what a busy machine takes for the way there and back. */
const answerMs = sized({ short: Infinity, long: 5500 });
const backMs = sized({ short: 60_000, long: 5000 });
const livezMs = sized({ short: Infinity, long: 2000 });
/**
 * What waits for an answer needs memory: some 200 of the books below, twice, and what they came in. That does not grow with
 * the outage; in a long one, to keep every book that was sent would take as much as this besides.
 */
const growthMb = 30;
const lengthBeside = 30_000;

/** A database that can be taken away. */
interface Database {
  readonly url: string;
  leave: () => void | Promise<void>;
  /** Resolves when it accepts writes again. */
  comeBack: () => void | Promise<void>;
  proxy?: Proxy;
}

async function startMongod(context: TestContext) {
  const mongod = await startOwnMongod();
  if ('skip' in mongod) throw new Error(mongod.skip);
  context.after(() => mongod.stop());
  return mongod;
}

const outages: [name: string, start: (context: TestContext) => Promise<Database>][] = [
  [
    'killed, and started again on its data',
    async (context) => {
      const mongod = await startMongod(context);
      return { url: newDatabaseUrl(mongod), leave: mongod.crash, comeBack: mongod.restart };
    },
  ],
  [
    'paused: it accepts connections and says nothing',
    async (context) => {
      const mongod = await startMongod(context);
      return { url: newDatabaseUrl(mongod), leave: mongod.pause, comeBack: mongod.resume };
    },
  ],
  [
    'slow: 5 s a command',
    async (context) => {
      const mongod = await startMongod(context);
      const [, port] = /:(\d+)\//.exec(mongod.url) ?? [];
      const proxy = await startProxy(context, Number(port));
      const delay = (milliseconds: number) => () => void (proxy.delayMs = milliseconds);
      // Directly: the hosts that the replica set names lead past the proxy.
      const url = newDatabaseUrl({ url: `mongodb://127.0.0.1:${proxy.port}/?directConnection=true` });
      return { url, leave: delay(5000), comeBack: delay(0), proxy };
    },
  ],
];

describe(
  'an outage of MongoDB under 24 writers',
  { skip: await findMongodOrSkip(), concurrency: sized({ short: false, long: true }) },
  () => {
    for (const [name, start] of outages.slice(0, sized({ short: 1, long: outages.length }))) {
      test(name, async (context) => {
        const { url, leave, comeBack, proxy } = await start(context);
        const service = await startService(context, url);
        const ledger = new Ledger();
        const load = await Load.begin(context, service.url, ledger, 24);
        await load.goesOn(sized({ short: 200, long: 3000 }), 60_000);

        const beforeMb = await residentMb(service);
        const before = ledger.acknowledged;
        await leave();
        await endure(service, load);
        const duringMb = await residentMb(service);
        assert.ok(ledger.acknowledged < before + 100, 'it was not gone');
        await comeBack();
        const back = performance.now();
        await load.goesOn(1, backMs);
        const againMs = performance.now() - back;
        const atReturn = ledger.acknowledged;

        // In the long form, until requests are seen that were sent after the time to be back.
        await load.goesOn(50, backMs);
        while (performance.now() < back + sized({ short: 0, long: 2 * backMs + 3000 }))
          await load.goesOn(1, backMs);
        await load.end();
        const { failures } = load;
        // By the specification a DELETE that fails is "Book not found".
        for (const { code } of failures)
          assert.match(code, /^(?:unavailable|request_in_progress|book_not_found)$/);
        const late = failures.filter(({ sent }) => sent > back + backMs).length;
        // One that is alone may be the busy machine's.
        assert.ok(
          late * 20 <= ledger.acknowledged - atReturn,
          `${late} failed that were sent after the time`,
        );
        const client = connect(context, service.url);
        await client.login(credentials.username, credentials.password);
        ledger.check(await client.list(), { isSettled: true });
        const told = `${ledger.acknowledged} writes acknowledged, ${ledger.unknown} of unknown fate`;
        const memory = `${beforeMb.toFixed()} MB before, ${duringMb.toFixed()} at the end of the outage`;
        const times = `slowest answer ${load.slowestMs.toFixed()} ms, writes again after ${againMs.toFixed()} ms`;
        context.diagnostic([told, memory, times].join('; '));
        assert.ok(load.slowestMs < answerMs, times);
        assert.ok(duringMb < beforeMb + growthMb, memory);
        // A writer's last request may still be held when its next one comes; and some for all, and to look after the server.
        if (proxy) assert.ok(proxy.mostConnections < 60, `${proxy.mostConnections} connections`);
      });
    }
  },
);

async function startService(context: TestContext, databaseUrl: string): Promise<RunningService> {
  return serve(context, await temporaryFolder(context), {
    SECRET_TOKEN: secretToken,
    AUTH_USERNAME: credentials.username,
    AUTH_PASSWORD: credentials.password,
    DATABASE_URL: databaseUrl,
  });
}

/** Beside the writers, who wait for their answers, others come who do not: those could pile up. */
async function endure(service: RunningService, load: Load): Promise<void> {
  const end = performance.now() + outageMs;
  while (performance.now() < end) {
    load.createBeside('x'.repeat(lengthBeside));
    const asked = performance.now();
    assert.equal((await fetch(`${service.url}/livez`)).status, 200);
    assert.ok(performance.now() - asked < livezMs, '/livez is slow');
    await setTimeout(20);
  }
}

async function residentMb({ child }: RunningService): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
