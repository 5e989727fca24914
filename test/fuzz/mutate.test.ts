import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFractions } from '../support/random.ts';
import { maxInputLength, mutate } from './mutate.ts';

const tokens = [Buffer.from('title')];

function mutants(seed: number, count: number): Buffer[] {
  const random = createFractions(seed);
  const other = Buffer.from('another');
  return Array.from({ length: count }, () =>
    Buffer.from(mutate(Buffer.from('an input'), { random, tokens, other })),
  );
}

test('mutations are the same for the same seed, and others for another', () => {
  assert.deepEqual(mutants(1, 100), mutants(1, 100));
  assert.notDeepEqual(mutants(1, 100), mutants(2, 100));
});

test('mutations insert words of the format and parts of other inputs, and make some inputs long, up to a limit', () => {
  const made = mutants(1, 3000);
  assert.ok(made.some((input) => input.includes('title')));
  assert.ok(made.some((input) => input.includes('other')));
  const longest = Math.max(...made.map(({ length }) => length));
  assert.ok(longest > maxInputLength / 4 && longest <= maxInputLength, `${longest}`);
});
