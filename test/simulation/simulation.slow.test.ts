import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createJudge } from '../support/answers.ts';
import { compiledPath } from '../support/compiled-path.ts';
import { documentText, parseDocument } from '../support/document.ts';
import { onlyLong, sized } from '../support/size.ts';
import { plants } from './plants.ts';
import { simulate, type Report } from './simulate.ts';
import { inMemory, inSqlite, type StoreKind } from './stores.ts';

const judge = createJudge(parseDocument(await documentText()));
const hourMs = 3_600_000;

/** The seed to replay. Without it, each run takes the same seeds, so that only a change of the code causes a new failure. */
const given = process.env.TEST_SEED;

/** The stores, and how many seeds each gets. */
const stores: readonly [name: string, store: StoreKind, count: number][] = [
  ['in memory', inMemory(), sized({ short: 100, long: 10_000 })],
  ['in SQLite, without its threads', inSqlite, sized({ short: 3, long: 1000 })],
];

describe('a simulated service', () => {
  for (const [name, store, count] of stores) {
    const seeds = given === undefined ? Array.from({ length: count }, (_, i) => i) : [Number(given)];
    test(`with its books ${name} keeps its promises, with ${seeds.length === 1 ? `TEST_SEED=${given}` : `${count} seeds`}`, async (t) => {
      const sums: Record<string, number> = {};
      for (const seed of seeds) {
        const { ms, answers, counts, happened } = await simulate(seed, { judge, store });
        for (const [each, value] of Object.entries({ hours: ms / hourMs, answers, ...counts, ...happened }))
          sums[each] = (sums[each] ?? 0) + value;
      }
      t.diagnostic(JSON.stringify(sums));
    });
  }

  test('does the same again with the same seed, in another process, too', async () => {
    const own: Report[] = [];
    for (const seed of [1, 2, 1, 3]) own.push(await simulate(seed, { judge }));
    const digests = own.map(({ digest }) => digest);
    assert.equal(digests[2], digests[0]);
    assert.equal(new Set(digests).size, 3, 'another seed does something else');
    const file = compiledPath(join(import.meta.dirname, 'digest.ts'));
    const { stdout } = await promisify(execFile)(process.execPath, [file, '3', '1']);
    assert.deepEqual(stdout.trim().split('\n'), [digests[3], digests[0]]);
  });
});

/** How many seeds the search for a planted fault tries at most. */
const enough = 50;

describe('a simulation finds', () => {
  for (const [fault, { begin, ...plant }, report] of plants)
    test(fault, { skip: onlyLong }, async (t) => {
      const repair = begin?.();
      if (repair !== undefined) t.after(repair);
      for (let seed = 0; seed < enough; seed++) {
        try {
          await simulate(seed, { judge, requests: 100, ...plant });
        } catch (error) {
          const { message } = error as Error;
          t.diagnostic(`after ${seed + 1} seeds: ${message.split('\n', 1)[0]}`);
          assert.match(message, new RegExp(`TEST_SEED=${seed} `));
          assert.match(message, report);
          return;
        }
      }
      assert.fail(`${enough} seeds do not find it`);
    });
});
