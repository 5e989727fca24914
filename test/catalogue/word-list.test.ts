import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WordList } from '../../src/catalogue/word-list.ts';

describe('a list of words', () => {
  const list = new WordList();
  list.append(['zauberlehrling', 'lehrling', 'emma', 'lehr']);
  list.append([]);
  list.append(['emmanuel', 'oberlehrer']);

  test('has the words that were appended, whole and by their beginnings', () => {
    assert.deepEqual([...list], ['zauberlehrling', 'lehrling', 'emma', 'lehr', 'emmanuel', 'oberlehrer']);
    assert.deepEqual([list.has('emma'), list.has('emm'), list.has('ma')], [true, false, false]);
    assert.deepEqual(
      [list.hasStart('emm'), list.hasStart('emma'), list.hasStart('mma')],
      [true, true, false],
    );
  });

  test('finds the words that contain a part behind their beginning, the shortest first', () => {
    assert.deepEqual(list.containing('lehr', 9), ['oberlehrer', 'zauberlehrling']);
    assert.deepEqual(list.containing('lehr', 1), ['oberlehrer']);
    assert.deepEqual(list.containing('lehrling', 9), ['zauberlehrling']);
    assert.deepEqual(list.containing('r', 9), ['lehr', 'lehrling', 'oberlehrer', 'zauberlehrling']);
    assert.deepEqual(list.containing('xyz', 9), []);
  });

  test('without words has none', () => {
    const empty = new WordList();
    assert.deepEqual([[...empty], empty.has(''), empty.hasStart('a')], [[], false, false]);
  });
});
