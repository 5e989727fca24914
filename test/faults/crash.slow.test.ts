import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { createClient } from '../../src/index.ts';
import { serve, settings, workersOf, type RunningService } from '../support/cli.ts';
import { keepWriting, Ledger } from '../support/ledger.ts';
import { faultsOf } from '../support/sqlite-file.ts';
import { sized } from '../support/size.ts';
import { temporaryFolder } from '../support/temp.ts';

const rounds = sized({ short: 2, long: 100 });
const writers = 24;
/** The number of acknowledged writes between a start and a kill. It varies, so that each kill interrupts something else. */
const writesOf = (round: number) => 60 + ((round * 37) % 200);
/** The maximum time of a start. */
const startMs = sized({ short: Infinity, long: 2000 });

const skip = process.platform !== 'linux' && 'workers are found in /proc';

test(
  `killed ${rounds} times under ${writers} writers, workers included: no acknowledged write lost, no id reused, index, history and change log agree with the books, every start clean`,
  { skip },
  async (context) => {
    const folder = await temporaryFolder(context);
    const ledger = new Ledger();
    for (let round = 1; round <= rounds; round++) {
      const begun = performance.now();
      const service = await serve(context, folder, { ...settings, WORKERS: String(1 + (round % 3)) });
      const took = performance.now() - begun;
      assert.ok(took < startMs, `start ${round} took ${took} ms`);
      assert.doesNotMatch(service.stderr(), /error|warn|damaged|cannot/i);
      await load(service, ledger, writesOf(round));
      assert.deepEqual(faultsOf(join(folder, 'data')), []);
    }
    const service = await serve(context, folder, settings);
    await check(service, ledger);
    assert.equal(await service.stop(), 0);
    context.diagnostic(`${ledger.acknowledged} writes acknowledged, ${ledger.unknown} of unknown fate`);
  },
);

/** Compares the books with the acknowledged writes, then writes, and kills the service meanwhile. */
async function load(service: RunningService, ledger: Ledger, writes: number): Promise<void> {
  const token = await check(service, ledger);
  const clients = Array.from({ length: writers }, () => createClient({ url: service.url, token }));
  const end = new AbortController();
  const writing = clients.map((client) => keepWriting(ledger, client, end.signal));
  const workers = await workersOf(service);
  const enough = ledger.acknowledged + writes;
  const [first] = workers;
  // One worker is killed first: the service continues without it.
  if (first !== undefined) {
    await acknowledged(ledger, enough - writes / 2);
    process.kill(first, 'SIGKILL');
    await service.said(/replac|another/i);
  }
  await acknowledged(ledger, enough);
  const ended = once(service.child, 'close');
  end.abort();
  for (const pid of [...(await workersOf(service)), service.child.pid ?? 0]) process.kill(pid, 'SIGKILL');
  await Promise.all([...writing, ended]);
  for (const client of clients) client.close();
}

/** Compares the books with the acknowledged writes; returns a token. */
async function check(service: RunningService, ledger: Ledger): Promise<string> {
  const client = createClient({ url: service.url });
  const token = await client.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
  ledger.check(await client.list(), { isSettled: true });
  client.close();
  return token;
}

async function acknowledged(ledger: Ledger, count: number): Promise<void> {
  while (ledger.acknowledged < count) await new Promise(setImmediate);
}
