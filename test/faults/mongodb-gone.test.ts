import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '../../src/index.ts';
import { serve, type RunningService } from '../support/cli.ts';
import { Ledger } from '../support/ledger.ts';
import { Load } from '../support/load.ts';
import { findMongodOrSkip, newDatabaseUrl, startOwnMongod } from '../support/mongod.ts';
import { credentials, secretToken } from '../support/service.ts';
import { sized } from '../support/size.ts';
import { startSlowProxy, type SlowProxy } from '../support/slow-proxy.ts';
import { temporaryFolder } from '../support/temp.ts';

const outageMs = sized({ short: 3000, long: 30_000 });
/** The service gives up before 5 s; the rest is what a busy machine takes for the way there and back. */
const answerMs = 5500;
const backMs = 5000;

const settings = {
  SECRET_TOKEN: secretToken,
  AUTH_USERNAME: credentials.username,
  AUTH_PASSWORD: credentials.password,
};

/** A database that can be taken away. */
interface Outage {
  readonly url: string;
  begin: () => void | Promise<void>;
  /** Resolves when the database accepts writes again. */
  end: () => void | Promise<void>;
  proxy?: SlowProxy;
}

async function startMongod(context: TestContext) {
  const mongod = await startOwnMongod();
  if ('skip' in mongod) throw new Error(mongod.skip);
  context.after(() => mongod.stop());
  return mongod;
}

const outages: [name: string, prepare: (context: TestContext) => Promise<Outage>][] = [
  [
    'killed, and started again on its data',
    async (context) => {
      const mongod = await startMongod(context);
      return { url: newDatabaseUrl(mongod), begin: mongod.crash, end: mongod.restart };
    },
  ],
  [
    'paused: it accepts connections and says nothing',
    async (context) => {
      const mongod = await startMongod(context);
      return { url: newDatabaseUrl(mongod), begin: mongod.pause, end: mongod.resume };
    },
  ],
  [
    'slow: 5 s a command',
    async (context) => {
      const mongod = await startMongod(context);
      const [, port] = /:(\d+)\//.exec(mongod.url) ?? [];
      const proxy = await startSlowProxy(context, Number(port));
      const delay = (milliseconds: number) => () => void (proxy.delayMs = milliseconds);
      return {
        // Directly: the hosts that the replica set names lead past the proxy.
        url: newDatabaseUrl({ url: `mongodb://127.0.0.1:${proxy.port}/?directConnection=true` }),
        begin: delay(5000),
        end: delay(0),
        proxy,
      };
    },
  ],
];

describe('MongoDB gone, under 24 writers', { skip: await findMongodOrSkip(), concurrency: true }, () => {
  for (const [name, prepare] of outages) {
    test(name, async (context) => {
      const { url, begin, end, proxy } = await prepare(context);
      const service = await serve(context, await temporaryFolder(context), {
        ...settings,
        DATABASE_URL: url,
      });
      const ledger = new Ledger();
      const load = await Load.begin(context, service.url, ledger, 24);
      await load.goesOn(sized({ short: 300, long: 3000 }), 60_000);
      assert.equal(load.failures.length, 0);

      const before = await residentMb(service);
      const { acknowledged } = ledger;
      await begin();
      await endure(service, load);
      const during = await residentMb(service);
      assert.ok(ledger.acknowledged - acknowledged < 100, 'the outage was none');
      await end();
      const ended = performance.now();
      await load.goesOn(1, backMs);
      const back = performance.now() - ended;
      const slowestMs = load.slowestMs;

      // In the long form, until requests are seen that were sent after the time to be back.
      await setTimeout(sized({ short: 1000, long: backMs + 3000 }));
      await load.end();
      context.diagnostic(
        JSON.stringify({
          before,
          during,
          after: await residentMb(service),
          back,
          slowestMs,
          acknowledged: ledger.acknowledged,
          unknown: ledger.unknown,
          failures: load.failures.length,
          lastFailure: (load.failures.at(-1)?.sent ?? 0) - ended,
          connections: proxy?.mostConnections,
        }),
      );
      for (const { code, sent } of load.failures) {
        assert.match(code, /^(?:unavailable|book_not_found)$/);
        assert.ok(sent < ended + backMs, `${code} ${sent - ended} ms after it was back`);
      }
      assert.ok(load.slowestMs < answerMs, `an answer took ${load.slowestMs} ms`);
      assert.ok(during < before + 30, `${before} MB before, ${during} MB during`);
      if (proxy) assert.ok(proxy.mostConnections < 110);
      await check(service, ledger);
    });
  }
});

/** Beside the writers, who wait for their answers, others come who do not: those could pile up. */
async function endure(service: RunningService, load: Load): Promise<void> {
  const end = performance.now() + outageMs;
  const author = 'x'.repeat(20_000);
  while (performance.now() < end) {
    load.createBeside(author);
    const asked = performance.now();
    assert.equal((await fetch(`${service.url}/livez`)).status, 200);
    assert.ok(performance.now() - asked < 2000, 'it lives, and takes its time to say so');
    await setTimeout(20);
  }
}

async function check({ url }: RunningService, ledger: Ledger): Promise<void> {
  const client = createClient({ url });
  await client.login(credentials.username, credentials.password);
  ledger.check(await client.list(), { isSettled: true });
  client.close();
}

async function residentMb({ child }: RunningService): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
