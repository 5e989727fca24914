import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleBooks } from '../../../src/page/state/sample-books.ts';

test('the sample books are a hundred different ones, with titles and years', () => {
  assert.equal(sampleBooks.length, 100);
  assert.equal(new Set(sampleBooks.map(({ title }) => title)).size, 100);
  for (const { title, author, year } of sampleBooks) {
    assert.match(title, /^\S.*[^\s\d]$/u);
    assert.equal(author, author.trim());
    assert.ok(year > 1500 && year < 1930, `${title} ${year}`);
  }
});
