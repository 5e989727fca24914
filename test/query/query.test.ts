import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isUnconditional, matches, toCondition, type BookQuery } from '../../src/query/query.ts';

const any = {
  words: [],
  title: undefined,
  author: undefined,
  yearFrom: Number.MIN_SAFE_INTEGER,
  yearTo: Number.MAX_SAFE_INTEGER,
  sort: 'id',
  isDescending: false,
};

describe('a condition', () => {
  const table: [query: BookQuery, condition: object][] = [
    [{}, {}],
    [{ q: '' }, {}],
    [{ q: 'b A  b' }, { words: ['a', 'b'] }],
    [{ q: 'a abc ab b' }, { words: ['abc', 'b'] }],
    [{ title: '' }, { title: '' }],
    [
      { title: 'Émma!', author: 'X-Y' },
      { title: 'emma', author: 'x y' },
    ],
    [{ year: 5 }, { yearFrom: 5, yearTo: 5 }],
    [
      { year: 5, yearFrom: 6 },
      { yearFrom: 6, yearTo: 5 },
    ],
    [
      { yearFrom: 1, yearTo: 2 },
      { yearFrom: 1, yearTo: 2 },
    ],
    [{ sort: '-title' }, { sort: 'title', isDescending: true }],
  ];
  for (const [query, condition] of table) {
    test(`of ${JSON.stringify(query)}`, () => {
      assert.deepEqual(toCondition(query), { ...any, ...condition });
    });
  }

  test('that excludes no book is known', () => {
    for (const query of [{}, { q: '!' }, { sort: '-year' }] as const)
      assert.ok(isUnconditional(toCondition(query)));
    for (const query of [{ q: 'a' }, { title: '' }, { author: '' }, { year: 0 }, { yearTo: 0 }])
      assert.ok(!isUnconditional(toCondition(query)));
  });
});

describe('a book is among those asked for', () => {
  const book = { id: 1, title: 'Die Straße nach Ys', author: 'José “Pepe” Ortiz', year: -5 };
  const table: [query: BookQuery, isAmong: boolean][] = [
    [{}, true],
    [{ q: 'strasse' }, true],
    [{ q: 'STRASS jos' }, true],
    [{ q: 'trasse' }, false],
    [{ q: 'die other' }, false],
    [{ q: 'josé-pepe' }, true],
    [{ title: 'die strasse, nach ys' }, true],
    [{ title: 'die strasse' }, false],
    [{ author: 'jose pepe ortiz' }, true],
    [{ author: '' }, false],
    [{ year: -5 }, true],
    [{ year: 5 }, false],
    [{ yearFrom: -5, yearTo: -5 }, true],
    [{ yearFrom: -4 }, false],
    [{ yearTo: -6 }, false],
    [{ yearTo: -6, q: 'die' }, false],
  ];
  for (const [query, isAmong] of table) {
    test(`${JSON.stringify(query)}: ${isAmong}`, () => {
      assert.equal(matches(toCondition(query), book), isAmong);
    });
  }
});
