import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeOrder,
  finishOrder,
  foldArticles,
  isArticle,
  plainOrder,
  settleOrder,
  slotKeys,
  titleKey,
} from '../../src/catalogue/title-order.ts';

test('articles are folded, sorted, and there once; an elided one keeps its apostrophe', () => {
  assert.deepEqual(foldArticles(['The', 'a', 'an', 'là', 'L’', "l'", 'the']), ['a', 'an', "l'", 'la', 'the']);
});

test('an article is a single word, or an elided one', () => {
  for (const value of ['the', 'Là', 'der', '红', "l'", 'L’', "dell'"]) assert.ok(isArticle(value), value);
  for (const value of ['', ' ', "'", "l'e", 'of the', 'the ', '1', 'x'.repeat(65), 7, undefined])
    assert.ok(!isArticle(value), String(value));
});

test('the key of a title has no leading article, unless it is the whole title', () => {
  const articles = foldArticles(['the', 'a', 'la', "l'", "d'"]);
  const table = [
    ['The Hobbit', 'hobbit'],
    ['“The Hobbit”', 'hobbit'],
    ['The', 'the'],
    ['the the', 'the'],
    ['A a team', 'a team'],
    ['Theory of all', 'theory of all'],
    ["L'Étranger", 'etranger'],
    ['L’étranger', 'etranger'],
    ['La Peste', 'peste'],
    ['Letranger', 'letranger'],
    ["l'", 'l'],
    ["D'Artagnan", 'artagnan'],
    ["O'Brien", 'obrien'],
    ['', ''],
    [`The ${'ж'.repeat(600)}`, 'ж'.repeat(498)],
    [`The${'x'.repeat(300)}`, `the${'x'.repeat(300)}`],
  ] as const;
  for (const [title, key] of table) assert.equal(titleKey(title, articles), key, title.slice(0, 20));
  assert.equal(titleKey("L'Étranger", foldArticles(['l'])), 'letranger');
});

test('an order is changed in the slot that is not in use, and the old one holds until it is complete', () => {
  const making = changeOrder(plainOrder, ['the']);
  assert.deepEqual(making, { articles: [], slot: 1, next: { articles: ['the'], to: 0 } });
  assert.deepEqual(slotKeys(making, 'The Hobbit'), ['hobbit', undefined]);
  const english = finishOrder(making);
  assert.deepEqual(english, { articles: ['the'], slot: 0 });
  const german = changeOrder(english, ['der']);
  assert.deepEqual(slotKeys(german, 'The Hobbit'), ['hobbit', 'the hobbit']);
  const changed = finishOrder(german);
  assert.deepEqual(changed, { articles: ['der'], slot: 1, last: ['the'] });
  assert.deepEqual(slotKeys(changed, 'The Hobbit'), ['hobbit', 'the hobbit']);
  assert.deepEqual(settleOrder(changed), { articles: ['der'], slot: 1 });
});

test('a wish for the order that holds, or is being made, changes nothing; one for the plain order holds at once', () => {
  const making = changeOrder({ articles: ['the'], slot: 0 }, ['der']);
  assert.equal(changeOrder(making, ['der']), making);
  assert.deepEqual(changeOrder(making, ['the']), { articles: ['the'], slot: 0 });
  assert.deepEqual(changeOrder(making, []), { articles: [], slot: 1, last: ['the'] });
  assert.equal(changeOrder(plainOrder, []), plainOrder);
});
