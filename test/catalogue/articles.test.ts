import assert from 'node:assert/strict';
import { test } from 'node:test';
import { articlesOfLanguages, isArticle } from '../../src/catalogue/articles.ts';

test('an article is one word of at most 64 letters, perhaps with an apostrophe at its end', () => {
  for (const value of ['the', 'The', 'l’', "l'", 'ο', 'x'.repeat(64)]) assert.ok(isArticle(value), value);
  const others = [
    '',
    'x'.repeat(65),
    'the a',
    "l'a",
    "'",
    'a1',
    '-',
    'a-b',
    'a ',
    '\u0301',
    ' a',
    undefined,
    7,
    ['a'],
  ];
  for (const value of others) assert.ok(!isArticle(value), JSON.stringify(value));
});

test('each language of the page offers articles', () => {
  assert.deepEqual(Object.keys(articlesOfLanguages), ['en', 'de', 'fr', 'es']);
  for (const articles of Object.values(articlesOfLanguages))
    for (const article of articles.split(',')) assert.ok(isArticle(article), article);
});
