import assert from 'node:assert/strict';
import { setPriority } from 'node:os';
import process from 'node:process';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { allAttacks, type Attack } from './attacks.ts';
import type { Lap } from './bystanders.ts';
import { exchange, responses } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import { sized } from '../support/size.ts';
import type { Scope } from '../support/temp.ts';
import { settles, startVictim, type Victim } from './victim.ts';

const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

const skip = process.platform === 'linux' ? false : 'memory and descriptors are read from /proc';
const connections = sized({ short: 100, long: 1000 });
const measured = sized({ short: 100, long: 1000 });
/** The maximum 95th percentile of the answer times of other clients. */
const mostMs = sized({ short: Infinity, long: 50 });
/** Other programs use the machine too: only an attack that delays others every time fails. */
const tries = 3;
/** Memory that garbage collection and fragmentation may leave in use. */
const slack = 192 * 1024 * 1024;

/** Repeats an attack while other clients are measured. */
async function suffer(victim: Victim, attack: Attack): Promise<Lap> {
  const over = new AbortController();
  const lap = victim.lap(measured).finally(() => {
    over.abort();
  });
  while (!over.signal.aborted) {
    await attack(victim, over.signal);
    await setTimeout(10); // Leaves CPU time to the other clients: they share the machine.
  }
  return lap;
}

describe('a service under attack', { skip }, async () => {
  const victim = await startVictim(wholeFile, 10);
  const list = `GET /books HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${victim.token}\r\n\r\n`;
  await exchange(victim.port, list);
  await victim.lap(measured);
  // Attackers have machines of their own: here they must not take the CPU time of the service.
  setPriority(10);
  const [memory, descriptors] = [await victim.memory(), await victim.descriptors()];

  for (const [what, attack] of allAttacks(connections)) {
    test(`${what}: other clients are answered, and no connection is left`, async (context) => {
      let lap = await suffer(victim, attack);
      for (let i = 1; i < tries && lap.p95 >= mostMs; i++) lap = await suffer(victim, attack);
      context.diagnostic(`p95 ${lap.p95.toFixed(1)} ms, longest ${lap.max.toFixed(0)} ms, of ${lap.count}`);
      assert.ok(lap.p95 < mostMs, `the 95th percentile is ${lap.p95} ms`);
      assert.equal(lap.failed, 0);
      await settles(victim.descriptors, descriptors);
    });
  }

  test('after all attacks, no memory is leaked and no book has changed', async (context) => {
    const left = await settles(victim.memory, memory + slack);
    context.diagnostic(
      `${(memory / 2 ** 20).toFixed(0)} MiB before, ${(left / 2 ** 20).toFixed(0)} MiB after`,
    );
    const [answer] = responses(await exchange(victim.port, list));
    assert.equal((JSON.parse(answer?.body ?? '') as { data: unknown[] }).data.length, 11);
    assert.equal(await victim.service.stop(), 0);
    assert.doesNotMatch(victim.service.stderr(), /error|warn/i);
  });
});

test('half-open connections end by themselves, each with a response', async (context) => {
  const service = await startService(context, { requestTimeoutMs: 1000 });
  const texts = await Promise.all(
    Array.from({ length: connections }, () => exchange(service.port, 'GET /books HTTP/1.1\r\nHost: x\r\n')),
  );
  for (const text of texts)
    assert.deepEqual(
      responses(text).map(({ status }) => status),
      [408],
    );
  assert.deepEqual(service.log, []);
});
