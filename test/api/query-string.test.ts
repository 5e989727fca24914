import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageParameters, type PageQuery } from '../../src/api/queries.ts';
import { formatQuery, readQuery, readValue, withCursor } from '../../src/api/query-string.ts';

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
    ['q=1984', { q: '1984' }],
    ['title=true', { title: 'true' }],
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
      'count=xtrue',
      'count=falsey',
    ],
  ];
  for (const text of refused) {
    test(`are refused: ${JSON.stringify(text)}`, () => {
      assert.throws(() => readQuery(text, pageParameters), { code: 'invalid_query' });
    });
  }
});

test('a refused parameter is named with its problem', () => {
  const table: [text: string, message: RegExp][] = [
    ['x=1', /^"x": unknown parameter$/],
    ['q=a&q=b', /^"q": repeated parameter$/],
    ['limit=0', /^"limit": malformed value$/],
    ['q=%', /^the query is not percent-encoded UTF-8$/],
  ];
  for (const [text, message] of table) assert.throws(() => readQuery(text, pageParameters), { message });
});

describe('a query becomes a query string', () => {
  const table: [query: object, text: string][] = [
    [{}, ''],
    [{ q: undefined, title: 'x' }, 'title=x'],
    [{ q: 'a b&c', year: -5, count: true, limit: 7 }, 'q=a+b%26c&year=-5&limit=7&count=true'],
  ];
  for (const [query, text] of table)
    test(JSON.stringify(query), () => {
      assert.equal(formatQuery(query, pageParameters), text);
    });

  const refused: [query: unknown, message: RegExp][] = [
    [null, /expected an object/],
    ['q=a', /expected an object/],
    [['q'], /expected an object/],
    [7, /expected an object/],
    [{ toString: 1 }, /query\.toString: unknown member/],
    [{ Q: 'a' }, /query\.Q: unknown member/],
    [{ q: 1 }, /query\.q: expected a string/],
    [{ year: '1' }, /query\.year: expected a number/],
    [{ count: 'true' }, /query\.count: expected a boolean/],
    [{ q: null }, /query\.q: expected a string/],
    [{ q: '\ud800' }, /query\.q: it contains half a surrogate pair/],
  ];
  for (const [query, message] of refused)
    test(`except ${JSON.stringify(query)}, which is a TypeError`, () => {
      assert.throws(() => formatQuery(query as object, pageParameters), { name: 'TypeError', message });
    });
});

describe('a query string gets another cursor, and keeps its spelling', () => {
  const table: [text: string, expected: string][] = [
    ['', 'after=X'],
    ['q=a+b%20c', 'q=a+b%20c&after=X'],
    ['after=old&q=a', 'q=a&after=X'],
    ['q=a&%61fter=old', 'q=a&after=X'],
    ['&&q=a&', 'q=a&after=X'],
    ['after', 'after=X'],
    ['q=after', 'q=after&after=X'],
    ['q=a=after', 'q=a=after&after=X'],
    ['q=<a>"\\', 'q=%3Ca%3E%22%5C&after=X'],
  ];
  for (const [text, expected] of table)
    test(JSON.stringify(text), () => {
      assert.equal(withCursor(text, 'X'), expected);
    });
});

test('half a surrogate pair is no value of a parameter', () => {
  assert.equal(readValue(pageParameters.q, '\ud800'), undefined);
  assert.equal(readValue(pageParameters.q, '\ud83d\ude42'), '\u{1f642}');
});
