import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkSuggestedField,
  commonSpelling,
  compareCounts,
  countKeys,
  rankKeys,
} from '../../src/catalogue/suggestion.ts';

test('values are suggested for title and author', () => {
  for (const name of ['title', 'author']) assert.equal(checkSuggestedField(name), name);
  for (const name of ['year', 'id', '', 'Title', undefined, 7, ['title']])
    assert.throws(() => checkSuggestedField(name), {
      code: 'invalid_query',
      message: '"field": expected one of title, author',
    });
});

test('keys come by descending count, then in their order; the empty key does not count', () => {
  assert.deepEqual(countKeys(['b', 'a', '', 'c', 'a', '', '', 'b', 'd']), [
    { key: 'a', count: 2 },
    { key: 'b', count: 2 },
    { key: 'c', count: 1 },
    { key: 'd', count: 1 },
  ]);
  assert.deepEqual(countKeys([]), []);
  assert.ok(compareCounts({ key: 'z', count: 2 }, { key: 'a', count: 1 }) < 0);
});

test('the most frequent keys are those with books, up to a limit', () => {
  const counts = [
    ['a', 1],
    ['b', 3],
    ['', 9],
    ['c', 0],
    ['d', 2],
  ] as const;
  assert.deepEqual(rankKeys(counts, 2), [
    { key: 'b', count: 3 },
    { key: 'd', count: 2 },
  ]);
  assert.equal(rankKeys(counts, 9).length, 3);
});

test('a text is spelled as most of its books spell it, or as the first of equally many', () => {
  assert.equal(commonSpelling(['emma', 'Emma', 'EMMA', 'Emma']), 'Emma');
  assert.equal(commonSpelling(['emma', 'Emma', 'Emma', 'emma']), 'emma');
  assert.equal(commonSpelling([]), '');
});
