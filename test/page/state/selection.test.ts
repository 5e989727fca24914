import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { credentials } from '../../support/service.ts';
import { becomeBrowser, serve } from '../fake-browser.ts';

becomeBrowser();
const { client, logIn } = await import('../../../src/page/state/service.ts');
const {
  clearSelection,
  countSelected,
  idsOf,
  isSelected,
  ListChanged,
  selection,
  selectMore,
  toggleSelected,
} = await import('../../../src/page/state/selection.ts');

const { signal } = new AbortController();
const chosen = () => (selection.value === 'all' ? 'all' : [...selection.value.ids]);

describe('the selection', () => {
  beforeEach(clearSelection);

  test('adds and removes books, one or many', () => {
    toggleSelected(3);
    selectMore([4, 5, 3]);
    toggleSelected(4);
    assert.deepEqual(chosen(), [3, 5]);
    assert.deepEqual(
      [3, 4].map((id) => isSelected(selection.value, id)),
      [true, false],
    );
    assert.equal(countSelected(selection.value, 100), 2);
  });

  test('of all books is unchanged when more are selected, and is one book after a click on it', () => {
    selection.set('all');
    selectMore([1]);
    assert.deepEqual([chosen(), countSelected('all', 100), isSelected('all', 9)], ['all', 100, true]);
    toggleSelected(7);
    assert.deepEqual(chosen(), [7]);
    clearSelection();
    assert.deepEqual(chosen(), []);
  });

  test('of all books has the ids that the query matches', async (t) => {
    await serve(t);
    await logIn(credentials.username, credentials.password);
    await client.createMany(
      ['A', 'B', 'C'].map((title) => ({ title, author: title === 'B' ? 'y' : 'x', year: 1 })),
    );
    assert.deepEqual(await idsOf('all', { query: { author: 'x' } }, signal), [1, 3]);
    assert.deepEqual(await idsOf({ ids: new Set([9, 2]) }, { query: {} }, signal), [9, 2]);
  });
});

test('all books of a list whose words begin no word any more, or begin one again, are not selected', async (t) => {
  await serve(t);
  await logIn(credentials.username, credentials.password);
  const [ant, giant] = [
    { title: 'Ant', author: '', year: 1 },
    { title: 'Giant', author: '', year: 1 },
  ];
  const [first = 0, second] = (await client.createMany([ant, giant])).ids;
  const query = { q: 'ant' };
  assert.deepEqual(await idsOf('all', { query }, signal), [first]);
  await assert.rejects(idsOf('all', { query, match: 'parts' }, signal), ListChanged);
  await client.delete(first);
  assert.deepEqual(await idsOf('all', { query, match: 'parts' }, signal), [second]);
  await assert.rejects(idsOf('all', { query }, signal), ListChanged);
});
