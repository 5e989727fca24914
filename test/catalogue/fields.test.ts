import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorField, listFields, nameField, wordMembers, yearField } from '../../src/catalogue/fields.ts';
import { sorts } from '../../src/catalogue/sorts.ts';

test('the names of fields are listed as in a sentence', () => {
  assert.equal(listFields(), 'title, author and year');
  assert.equal(listFields(['title', 'author']), 'title and author');
  assert.equal(listFields(['title']), 'title');
  assert.equal(listFields([]), '');
});

test('fields have a role each, and words are asked for anywhere or in one field', () => {
  assert.deepEqual([nameField, authorField, yearField], ['title', 'author', 'year']);
  assert.deepEqual(wordMembers, ['q', 'titleWords', 'authorWords']);
});

test('books are sorted by fitness, id and each indexed field, in both directions', () => {
  const keys = ['id', 'title', 'author', 'year'];
  assert.deepEqual(sorts, ['best', ...keys.flatMap((key) => [key, `-${key}`])]);
});
