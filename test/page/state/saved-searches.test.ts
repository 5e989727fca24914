import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { becomeBrowser } from '../fake-browser.ts';

becomeBrowser();
const { forgetSearch, isSameSearch, savedSearches, saveSearch } =
  await import('../../../src/page/state/saved-searches.ts');
const { storageKey } = await import('../../../src/page/texts/choice.ts');

const names = () => savedSearches.value.map(({ name }) => name);

describe('saved searches', () => {
  beforeEach(() => {
    for (const name of names()) forgetSearch(name);
  });

  test('keep words, filters and order; a name is kept once', () => {
    saveSearch(' Woolf ', { q: 'woolf' });
    saveSearch('Old', { yearTo: 1900, sort: 'year' });
    saveSearch('Woolf', { q: 'virginia woolf', sort: '-id' });
    assert.deepEqual(savedSearches.value, [
      { name: 'Old', query: { yearTo: 1900, sort: 'year' } },
      { name: 'Woolf', query: { q: 'virginia woolf', sort: '-id' } },
    ]);
    forgetSearch('Old');
    assert.deepEqual(names(), ['Woolf']);
  });

  test('are at most 20, and none has no name or a very long query', () => {
    saveSearch('  ', { q: 'a' });
    saveSearch('long', { q: 'a'.repeat(3000) });
    assert.deepEqual(names(), []);
    for (let i = 1; i <= 25; i++) saveSearch(`${i}`, { q: 'a' });
    assert.deepEqual(
      names(),
      Array.from({ length: 20 }, (_, i) => `${i + 6}`),
    );
  });

  test('that are stored are read without what is damaged', () => {
    const kept = [
      { name: 'good', address: 'q=a&sort=nothing&limit=5' },
      { name: 7, address: 'q=a' },
      { name: 'x'.repeat(61), address: 'q=a' },
      { name: 'no address' },
      null,
    ];
    localStorage.setItem(storageKey('searches'), JSON.stringify(kept));
    saveSearch('new', { q: 'b' });
    assert.deepEqual(savedSearches.value, [
      { name: 'good', query: { q: 'a' } },
      { name: 'new', query: { q: 'b' } },
    ]);
    localStorage.setItem(storageKey('searches'), '{');
    forgetSearch('good');
    assert.deepEqual(names(), []);
  });

  test('are the same if they show the same books in the same order', () => {
    assert.equal(isSameSearch({ q: 'a', sort: 'year' }, { sort: 'year', q: 'a' }), true);
    assert.equal(isSameSearch({ q: 'a' }, { q: 'a', sort: 'year' }), false);
  });
});
