import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  continueRange,
  foldArticles,
  isArticle,
  rangesOf,
  withoutArticle,
} from '../../src/catalogue/article-order.ts';
import { compareFolded, foldText } from '../../src/catalogue/fold.ts';

const articles = foldArticles(['The', 'a', 'an', 'là', 'las', 'the']);

test('articles are folded, sorted, and there once', () => {
  assert.deepEqual(articles, ['a', 'an', 'la', 'las', 'the']);
});

test('isArticle accepts single words', () => {
  for (const value of ['the', 'Là', 'der', '红']) assert.ok(isArticle(value), value);
  for (const value of ['', ' ', "l'", 'of the', 'the ', '1', 7, undefined])
    assert.ok(!isArticle(value), String(value));
});

test('withoutArticle removes one leading article, and keeps a key that is nothing else', () => {
  const table = [
    ['the hobbit', 'hobbit'],
    ['the', 'the'],
    ['the the', 'the'],
    ['a a team', 'a team'],
    ['theory of all', 'theory of all'],
    ['', ''],
  ] as const;
  for (const [key, rest] of table) assert.equal(withoutArticle(key, articles), rest);
});

test('an elided article stays, however its apostrophe is typed: its key is that of one word', () => {
  for (const title of ["L'Étranger", 'L’Étranger', 'Létranger'])
    assert.equal(withoutArticle(foldText(title), foldArticles(['l', 'le', 'la'])), 'letranger');
});

const key = fc
  .array(fc.constantFrom('a', 'an', 'the', 'la', 'las', 'b', 'lasso', 'z', '1', '\u{10428}'), {
    maxLength: 3,
  })
  .map((words) => foldText(words.join(' ')));

describe('ranges', () => {
  for (const isDescending of [false, true]) {
    const sequences = rangesOf(articles, isDescending);
    const inRange = (one: string, { from, below }: { from: string; below: string | undefined }) =>
      compareFolded(one, from) >= 0 && (below === undefined || compareFolded(one, below) < 0);

    test(`contain each key once, with its article as prefix: descending ${isDescending}`, () => {
      fc.assert(
        fc.property(key, (one) => {
          const found = sequences.flat().filter((range) => inRange(one, range));
          assert.equal(found.length, 1);
          assert.equal(one.slice(found[0]?.prefix.length), withoutArticle(one, articles));
        }),
      );
    });

    test(`continue exactly after a position: descending ${isDescending}`, () => {
      fc.assert(
        fc.property(key, key, (one, last) => {
          const after = { key: withoutArticle(last, articles), id: 5 };
          for (const range of sequences.flat().filter((each) => inRange(one, each))) {
            const place = continueRange(range, isDescending, after);
            const order = compareFolded(withoutArticle(one, articles), after.key);
            const isAfter = isDescending ? order < 0 : order > 0;
            if (place === undefined) assert.ok(!isAfter && order !== 0);
            else if (place.after === undefined) assert.ok(isAfter);
            else assert.equal(Math.sign(compareFolded(one, String(place.after.key))), Math.sign(order));
          }
        }),
      );
    });
  }
});
