import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { becomeBrowser } from '../fake-browser.ts';

becomeBrowser();
const { moveBetween, readWidths } = await import('../../../src/page/state/column-widths.ts');

describe('the widths of columns', () => {
  test('that are stored are used, unless they are damaged or leave no room', () => {
    assert.deepEqual(readWidths({ author: 30, year: 10 }), { author: 30, year: 10 });
    assert.deepEqual(readWidths({ author: '30', year: 1e9, other: 20 }), {});
    assert.deepEqual(readWidths({ author: 60, year: 39 }), {});
    assert.deepEqual(readWidths(undefined), {});
  });

  test('change together, and neither gets too narrow', () => {
    assert.deepEqual(moveBetween(40, 20, 5), [45, 15]);
    assert.deepEqual(moveBetween(40, 20, 100), [54, 6]);
    assert.deepEqual(moveBetween(40, 20, -100), [6, 54]);
  });
});
