import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageParameters, type PageQuery } from '../../src/api/queries.ts';
import { formatQuery, readQuery } from '../../src/api/query-string.ts';

describe('query parameters', () => {
  const table: [text: string, query: PageQuery][] = [
    ['', {}],
    ['&&', {}],
    ['q=a+b%20c', { q: 'a b c' }],
    ['q=', { q: '' }],
    ['q', { q: '' }],
    ['q=a=b', { q: 'a=b' }],
    ['q=%C3%A9', { q: 'é' }],
    ['title=x&author=y', { title: 'x', author: 'y' }],
    ['year=-5&yearFrom=0&yearTo=9007199254740991', { year: -5, yearFrom: 0, yearTo: 2 ** 53 - 1 }],
    ['sort=-title', { sort: '-title' }],
    ['limit=1000&count=true', { limit: 1000, count: true }],
    ['count=false', { count: false }],
    ['after=abc', { after: 'abc' }],
    ['%71=a', { q: 'a' }],
  ];
  for (const [text, query] of table) {
    test(`are read: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(readQuery(text, pageParameters), query);
      assert.deepEqual(readQuery(formatQuery(query, pageParameters), pageParameters), query);
    });
  }

  const refused = [
    ...['x=1', 'Q=a', '=', 'constructor=1', '__proto__=1', 'q=a&q=b', 'q=%', 'q=%ff'],
    ...['year=', 'year=1.5', 'year=01', 'year=-0', 'year=+1', 'year=1e3', 'year=9007199254740992', 'year=a'],
    ...[
      'limit=0',
      'limit=1001',
      'limit=-1',
      'limit',
      'sort=',
      'sort=Title',
      'sort=--id',
      'count=1',
      'count=',
    ],
  ];
  for (const text of refused) {
    test(`are refused: ${JSON.stringify(text)}`, () => {
      assert.throws(() => readQuery(text, pageParameters), { code: 'invalid_query' });
    });
  }
});
