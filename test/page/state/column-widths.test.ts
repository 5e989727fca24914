import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { becomeBrowser } from '../fake-browser.ts';

becomeBrowser();
const { storageKey } = await import('../../../src/page/texts/choice.ts');

/** The widths of a new page, for what is stored. */
async function widthsFor(stored: string) {
  localStorage.setItem(storageKey('widths'), stored);
  const address = `../../../src/page/state/column-widths.ts?stored=${encodeURIComponent(stored)}`;
  return ((await import(address)) as typeof import('../../../src/page/state/column-widths.ts')).columnWidths
    .value;
}

describe('the widths of columns', () => {
  test('that are stored are used, unless they are damaged or leave no room', async () => {
    assert.deepEqual(await widthsFor('{"author":30,"year":10}'), { author: 30, year: 10 });
    assert.deepEqual(await widthsFor('{"author":"30","year":1e9,"other":20}'), {});
    assert.deepEqual(await widthsFor('{"author":60,"year":39}'), {});
    assert.deepEqual(await widthsFor('['), {});
  });

  test('change together, and neither gets too narrow', async () => {
    const { moveBetween } = await import('../../../src/page/state/column-widths.ts');
    assert.deepEqual(moveBetween(40, 20, 5), [45, 15]);
    assert.deepEqual(moveBetween(40, 20, 100), [54, 6]);
    assert.deepEqual(moveBetween(40, 20, -100), [6, 54]);
  });
});
