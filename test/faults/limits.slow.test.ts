import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createClient } from '../../src/index.ts';
import { serve, settings, type RunningService } from '../support/cli.ts';
import { connect } from '../support/client.ts';
import { keepWriting, Ledger } from '../support/ledger.ts';
import { faultsOf } from '../support/sqlite-file.ts';
import { sized } from '../support/size.ts';
import { temporaryFolder } from '../support/temp.ts';

const run = promisify(execFile);
const skip = await run('prlimit', ['--version']).then(
  () => process.platform !== 'linux' && 'needs Linux',
  () => 'prlimit cannot be run here',
);
const kills = sized({ short: 1, long: 20 });
const writers = 8;
/** How long no descriptor is left. */
const fullMs = sized({ short: 2000, long: 20_000 });

async function limit(
  { child }: RunningService,
  resource: 'as' | 'nofile',
  to: number | 'unlimited',
): Promise<void> {
  await run('prlimit', ['--pid', String(child.pid), `--${resource}=${to}:`]);
}

/** Checks what is stored; then lets writers write until they are stopped. */
async function startWriters(t: TestContext, service: RunningService, ledger: Ledger) {
  const client = connect(t, service.url);
  const token = await client.login(settings.AUTH_USERNAME, settings.AUTH_PASSWORD);
  ledger.check(await client.list(), { isSettled: true });
  const end = new AbortController();
  const clients = Array.from({ length: writers }, () => createClient({ url: service.url, token }));
  const writing = Promise.all(clients.map((each) => keepWriting(ledger, each, end.signal)));
  writing.catch(() => undefined); // `stop` rejects.
  t.after(() => {
    end.abort();
  });
  const stop = async () => {
    end.abort();
    await writing;
    for (const each of clients) each.close();
  };
  return { client, stop };
}

async function written(ledger: Ledger, count: number): Promise<void> {
  const enough = ledger.acknowledged + count;
  const end = performance.now() + 30_000;
  while (ledger.acknowledged < enough) {
    assert.ok(
      performance.now() < end,
      `${enough - ledger.acknowledged} of ${count} writes are missing after 30 s`,
    );
    await setTimeout(2);
  }
}

describe('a service at a limit of the system', { skip }, () => {
  test(`that runs out of memory ${kills} times under ${writers} writers loses no acknowledged write, and gives no id twice`, async (t) => {
    const folder = await temporaryFolder(t);
    const ledger = new Ledger();
    for (let kill = 0; kill <= kills; kill++) {
      const service = await serve(t, folder, settings);
      const { stop } = await startWriters(t, service, ledger);
      await written(ledger, 50);
      if (kill === kills) {
        await stop();
        assert.equal(await service.stop(), 0);
        break;
      }
      // What is allocated stays; nothing more can be.
      const ended = once(service.child, 'close') as Promise<[number | null, string | null]>;
      await limit(service, 'as', 1);
      const [code, signal] = await ended;
      assert.notEqual(code, 0);
      assert.match(
        service.stderr(),
        /out of memory|Out of memory|Allocation failed|bad_alloc/i,
        `${code} ${signal}`,
      );
      await stop();
      assert.deepEqual(faultsOf(join(folder, 'data')), []);
    }
    t.diagnostic(`${ledger.acknowledged} writes acknowledged, ${ledger.unknown} of unknown fate`);
  });

  test('that has no descriptor left survives, goes on once there are some, and loses no acknowledged write', async (t) => {
    const service = await serve(t, await temporaryFolder(t), settings);
    const ledger = new Ledger();
    const { client, stop } = await startWriters(t, service, ledger);
    await written(ledger, 50);
    const open = (await readdir(`/proc/${service.child.pid}/fd`)).length;
    await limit(service, 'nofile', open);
    const { port } = new URL(service.url);
    const sockets = Array.from({ length: 20 }, () => connectSocket(Number(port), '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined);
    await setTimeout(fullMs);
    await limit(service, 'nofile', open + 1000);
    for (const socket of sockets) socket.destroy();
    await written(ledger, 200);
    await stop();
    ledger.check(await client.list(), { isSettled: true });
    assert.equal(await service.stop(), 0);
  });
});
