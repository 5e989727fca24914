import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readCorpus, readFailures } from './corpus.ts';
import { sized } from '../support/size.ts';
import { check } from './rules.ts';
import { targets } from './targets.ts';

// Fuzzing takes hours (`npm run fuzz`); this replays what it has found: all of it in the long form.
for (const [name, target] of Object.entries(targets)) {
  describe(`the parser of ${name}`, () => {
    const seeds = target.seeds.map((seed) => Buffer.from(seed as string));
    const corpus = readCorpus(name).filter((_, i) => i % sized({ short: 10, long: 1 }) === 0);

    test(`keeps the rules with ${seeds.length + corpus.length} inputs`, async () => {
      for (const input of [...seeds, ...corpus, new Uint8Array(0)]) await check(target, input);
    });

    for (const { what, input } of readFailures(name))
      test(`keeps the rules with an input that once broke one: ${what}`, async () => {
        await check(target, input);
      });
  });
}

test('each file of the corpus is of a target, and each target has one', () => {
  const files = readdirSync(join(import.meta.dirname, 'corpus'));
  const names = new Set(files.map((file) => file.replace(/\.gz$/, '')));
  assert.deepEqual([...names].sort(), Object.keys(targets).sort());
});
