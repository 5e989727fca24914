import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareFolded } from '../../src/catalogue/fold.ts';
import { maxKeyBytes, textKey } from '../../src/catalogue/keyset-position.ts';
import {
  changeRules,
  defaultRules,
  formatRules,
  parseRules,
  positionOf,
  sortKey,
} from '../../src/catalogue/sort-keys.ts';
import { isArticle } from '../../src/catalogue/articles.ts';
import { toFilter } from '../../src/catalogue/query.ts';
import { storedBook } from '../support/books.ts';

test('articles are folded, sorted, and there once; an elided one keeps its apostrophe', () => {
  const sortArticles = ['The', 'a', 'an', 'là', 'L’', "l'", 'the'];
  assert.deepEqual(changeRules(defaultRules, { sortArticles }).articles, ['a', 'an', "l'", 'la', 'the']);
});

test('an article is a single word, or an elided one', () => {
  for (const value of ['the', 'Là', 'der', '红', "l'", 'L’', "dell'"]) assert.ok(isArticle(value), value);
  for (const value of ['', ' ', "'", "l'e", 'of the', 'the ', '1', 'x'.repeat(65), 7, undefined])
    assert.ok(!isArticle(value), String(value));
});

test('the key of a title has no leading article, unless it is the whole title', () => {
  const rules = changeRules(defaultRules, { sortArticles: ['the', 'a', 'la', "l'", "d'"] });
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
  for (const [title, key] of table) assert.equal(sortKey('title', title, rules), key, title.slice(0, 20));
  const whole = changeRules(defaultRules, { sortArticles: ['l'] });
  assert.equal(sortKey('title', "L'Étranger", whole), 'letranger');
});

describe('the key of an author', () => {
  test('begins with the family name, unless names are ordered as they are written', () => {
    const written = changeRules(defaultRules, { sortNames: 'written' });
    for (const [author, family, asWritten] of [
      ['Ursula K. Le Guin', 'le guin ursula k', 'ursula k le guin'],
      ['Homer', 'homer', 'homer'],
      ['Louis XIV 2nd', '12nd louis xiv', 'louis xiv 12nd'],
    ] as const) {
      assert.equal(sortKey('author', author, defaultRules), family);
      assert.equal(sortKey('author', author, written), asWritten);
    }
  });

  test('ignores no articles', () => {
    const rules = changeRules(defaultRules, { sortArticles: ['le', 'the'] });
    assert.equal(sortKey('author', 'Ursula K. Le Guin', rules), 'le guin ursula k');
    assert.equal(sortKey('author', 'The Beatles Press', rules), 'the beatles press');
  });
});

describe('numbers in keys', () => {
  test('are in the order of their values, after shorter texts and before letters', () => {
    const texts = [
      ...['Volume', 'Volume 0', 'Volume 1', 'Volume 02', 'Volume 2a', 'Volume 9', 'Volume 10', 'Volume 99'],
      ...['Volume ١٠٠', 'Volume 12345678', 'Volume 123456789', 'Volume 999999999', 'Volume 1234567890'],
      ...[`Volume 1${'0'.repeat(17)}`, `Volume 1${'0'.repeat(18)}`, `Volume 1${'0'.repeat(80)}`, 'Volume a'],
    ];
    const sorted = [...texts].sort((a, b) =>
      compareFolded(sortKey('title', a, defaultRules), sortKey('title', b, defaultRules)),
    );
    assert.deepEqual(sorted, texts);
  });

  test('are equal with and without leading zeros, in any script', () => {
    for (const text of ['Volume 7', 'Volume 007', 'Volume ٧', 'Volume ०७', 'Volume ７'])
      assert.equal(sortKey('title', text, defaultRules), 'volume 17', text);
    assert.equal(sortKey('title', '000', defaultRules), '10');
  });

  test('have the value of each digit of Unicode', () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (!/\p{Nd}/u.test(character)) continue;
      let zero = code;
      while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
      const value = (code - zero) % 10;
      assert.equal(sortKey('title', character, defaultRules), `1${value}`, code.toString(16));
    }
  });
});

test('a key is a folded text of bounded length, so that a cursor can hold it', () => {
  const texts = [
    '1',
    '9'.repeat(3000),
    'a1 '.repeat(900),
    `${'x'.repeat(999)}12`,
    '١٢٣ b',
    `${'Le '.repeat(300)}Guin`,
  ];
  for (const text of texts)
    for (const name of ['title', 'author'] as const) {
      const key = sortKey(name, text, defaultRules);
      assert.ok(Buffer.byteLength(key) <= maxKeyBytes);
      assert.equal(textKey(key), key);
    }
});

test('wishes change rules and their name; no wish, and the same one, change nothing', () => {
  const rules = changeRules(defaultRules, { sortArticles: ['The', 'a'], sortNames: 'written' });
  assert.notEqual(rules.name, defaultRules.name);
  assert.equal(changeRules(rules, {}), rules);
  assert.equal(changeRules(rules, { sortArticles: ['a', 'the', 'The'] }), rules);
  assert.equal(changeRules(rules, { sortArticles: [] }).names, 'written');
  assert.deepEqual(changeRules(rules, { sortNames: 'family' }).articles, ['a', 'the']);
  assert.deepEqual(changeRules(rules, { sortArticles: [], sortNames: 'family' }), defaultRules);
});

test('stored rules are read again; anything else is refused', () => {
  const rules = changeRules(defaultRules, { sortArticles: ["l'"], sortNames: 'written' });
  assert.deepEqual(parseRules(formatRules(rules)), rules);
  assert.deepEqual(parseRules(formatRules(defaultRules)), defaultRules);
  const many = (count: number) => JSON.stringify({ articles: Array(count).fill('a'), names: 'written' });
  assert.equal(parseRules(many(16))?.articles.length, 16);
  const refused = [
    'x',
    'null',
    '{}',
    '{"articles":[1],"names":"family"}',
    '{"articles":["a",1],"names":"family"}',
  ];
  for (const json of [
    ...refused,
    '{"articles":[],"names":"x"}',
    '{"articles":"a","names":"family"}',
    many(17),
  ])
    assert.equal(parseRules(json), undefined, json);
});

test('positionOf returns the key, the id, and the name of the rules', () => {
  const book = storedBook(7, { title: 'The Émigré 2', author: 'W. G. Sebald', year: 1992 });
  const rules = changeRules(defaultRules, { sortArticles: ['the'] });
  const order = rules.name;
  const table = [
    ['id', { key: 7, id: 7 }],
    ['-year', { key: 1992, id: 7 }],
    ['title', { key: 'emigre 12', id: 7, order }],
    ['-author', { key: 'sebald w g', id: 7, order }],
  ] as const;
  for (const [sort, position] of table)
    assert.deepEqual(positionOf(toFilter({ sort }), book, rules), position);
  const best = positionOf(toFilter({ q: 'émigré' }), book, rules);
  assert.deepEqual([best.id, best.order, Number(best.key) > 1e8], [7, undefined, true]);
  assert.deepEqual(positionOf(toFilter({ sort: 'title' }), book), {
    key: 'the emigre 12',
    id: 7,
    order: defaultRules.name,
  });
});
