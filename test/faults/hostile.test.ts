import assert from 'node:assert/strict';
import { setPriority } from 'node:os';
import process from 'node:process';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { allAttacks, type Attack } from '../support/attacks.ts';
import type { Lap } from '../support/bystanders.ts';
import { exchange, responses } from '../support/raw.ts';
import { startService } from '../support/service.ts';
import { sized } from '../support/size.ts';
import type { Scope } from '../support/temp.ts';
import { settles, startVictim, type Victim } from '../support/victim.ts';

const cleanup: (() => unknown)[] = [];
const wholeFile: Scope = { after: (fn) => cleanup.push(fn) };
after(async () => {
  for (const fn of cleanup.reverse()) await fn();
});

const skip = process.platform === 'linux' ? false : 'what a process holds is read from /proc';
const connections = sized({ short: 200, long: 1000 });
const measured = sized({ short: 200, long: 1000 });
/** What the others must not notice. Where other tests run at the same time, as in the short form, it says little. */
const mostMs = sized({ short: 500, long: 50 });
/** Other programs use the machine, too: an attack that hinders does so every time, and more than they do. */
const tries = 3;
/** What a collector of garbage may leave for later, and an allocator between what is in use. */
const slack = 192 * 1024 * 1024;

/** How the others fare while an attack goes on, round after round. */
async function suffer(victim: Victim, attack: Attack): Promise<Lap> {
  const over = new AbortController();
  const lap = victim.lap(measured).finally(() => {
    over.abort();
  });
  while (!over.signal.aborted) {
    await attack(victim, over.signal);
    await setTimeout(10); // This process and the others share a machine.
  }
  return lap;
}

describe('while it is attacked', { skip }, async () => {
  const victim = await startVictim(wholeFile, 10);
  const list = `GET /books HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${victim.token}\r\n\r\n`;
  await exchange(victim.port, list);
  await victim.lap(measured);
  // Attackers have machines of their own: here they must not take the service's share of this one.
  setPriority(10);
  const [memory, descriptors] = [await victim.memory(), await victim.descriptors()];

  for (const [what, attack] of allAttacks(connections)) {
    test(`${what}: the others notice nothing, and no connection is left`, async (context) => {
      let lap = await suffer(victim, attack);
      for (let i = 1; i < tries && lap.p95 >= mostMs; i++) lap = await suffer(victim, attack);
      context.diagnostic(`p95 ${lap.p95.toFixed(1)} ms, longest ${lap.max.toFixed(0)} ms, of ${lap.count}`);
      assert.ok(lap.p95 < mostMs, `the 95th percentile is ${lap.p95} ms`);
      assert.equal(lap.failed, 0);
      await settles(victim.descriptors, descriptors);
    });
  }

  test('no memory is left, and the books are what they were', async (context) => {
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

test('half-open connections end by themselves, each with an answer', async (context) => {
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
