import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decadeCount } from '../../src/api/models.ts';
import { firstOfDecade } from '../../src/catalogue/statistics.ts';

test('a decade begins with a whole number, also that of the lowest year, which is below the safe integers', () => {
  for (const year of [1815, -1, Number.MIN_SAFE_INTEGER]) {
    const decade = { from: firstOfDecade(year), count: 1 };
    assert.deepEqual(decadeCount.parse(decade), decade);
  }
  for (const from of [1810.5, '1810', null, undefined])
    assert.equal(decadeCount.parse({ from, count: 1 }), undefined);
});
