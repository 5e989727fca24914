import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  formatAuthorCursor,
  formatCursor,
  formatGroupCursor,
  parseAuthorCursor,
  parseCursor,
  parseGroupCursor,
} from '../../src/api/cursor.ts';
import type { AuthorsParameters } from '../../src/api/queries.ts';
import { toFilter, type BookQuery } from '../../src/catalogue/query.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor', () => {
  const table: [query: BookQuery, key: string | number][] = [
    [{}, 7],
    [{ sort: '-year', q: 'x' }, -5],
    [{ sort: 'title' }, ''],
    [{ sort: '-author', year: 3 }, '红楼 \u{10428}'],
    [{ sort: 'title' }, 'a'.repeat(1000)],
  ];
  for (const [query, key] of table) {
    test(`of ${JSON.stringify(query)} is parsed for this query only`, () => {
      const condition = toFilter(query);
      const text = formatCursor(condition, { key, id: 7 });
      assert.match(text, /^[\w-]+$/);
      assert.deepEqual(parseCursor(condition, text), { key, id: 7 });
      for (const other of [{ ...query, q: 'y' }, { ...query, sort: 'id', year: 9 } as const])
        assert.throws(() => parseCursor(toFilter(other), text), { code: 'invalid_query' });
    });
  }

  test('names the rules of an order by title, author or rank, and no other', () => {
    const position = { key: 'hobbit', id: 7, order: '0a1b2c3d' };
    for (const sort of ['-title', 'author'] as const) {
      const filter = toFilter({ sort });
      assert.deepEqual(parseCursor(filter, formatCursor(filter, position)), position);
    }
    const best = toFilter({ q: 'sea' });
    const named = { ...position, key: 5 };
    assert.deepEqual(parseCursor(best, formatCursor(best, named)), named);
    const year = toFilter({ sort: 'year' });
    const text = formatCursor(year, { ...position, key: 7 });
    assert.throws(() => parseCursor(year, text), { code: 'invalid_query' });
  });

  test('names the words of a listing of parts, in every order', () => {
    const parts = '0123456789a';
    const positions = [
      [{ q: 'x' }, { key: -5, id: 7, parts }],
      [
        { q: 'x', sort: '-id' },
        { key: 7, id: 7, parts },
      ],
      [
        { q: 'x', sort: 'title' },
        { key: 'a', id: 7, parts },
      ],
      [
        { q: 'x', sort: 'title' },
        { key: 'a', id: 7, order: '0a1b2c3d', parts },
      ],
    ] as const;
    for (const [query, position] of positions) {
      const filter = toFilter(query);
      assert.deepEqual(parseCursor(filter, formatCursor(filter, position)), position);
    }
  });

  const condition = toFilter({ sort: 'title' });
  const good = formatCursor(condition, { key: 'a', id: 1 });
  const [fingerprint] = JSON.parse(Buffer.from(good, 'base64url').toString()) as [string];
  const refused: [what: string, text: string][] = [
    ['nothing', ''],
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('[1').toString('base64url')],
    ['padded', `${good}==`],
    ['cut off', good.slice(0, -3)],
    ['no array', encode({ 0: fingerprint, 1: 'a', 2: 1 })],
    ['longer', encode([fingerprint, 'a', 1, 1])],
    ['longer by nothing', encode([fingerprint, 'a', 1, null])],
    ['longer by a number', encode([fingerprint, 'a', 1, null, 1])],
    ['with a number for a title', encode([fingerprint, 1, 1])],
    ['with a title that is not folded', encode([fingerprint, 'A', 1])],
    ['with a title that is too long', encode([fingerprint, 'a'.repeat(1001), 1])],
    ['with no id', encode([fingerprint, 'a', 0])],
    ['with a foreign fingerprint', encode(['x', 'a', 1])],
    ['with spaces', Buffer.from(JSON.stringify([fingerprint, 'a', 1], null, 1)).toString('base64url')],
  ];
  for (const [what, text] of refused) {
    test(`is refused if it is ${what}`, () => {
      assert.throws(() => parseCursor(condition, text), { code: 'invalid_query' });
    });
  }
});

test('a refused cursor tells where to take one from', () => {
  assert.throws(() => parseCursor(toFilter({}), ''), {
    message: /take it from the Link of the previous page/,
  });
});

test('the key of an order by id is the id, and that of an order by year or rank a whole number', () => {
  for (const [query, key, id] of [
    [{}, 8, 7],
    [{ sort: 'year' }, 1.5, 7],
    [{ sort: 'year' }, '5', 7],
    [{ q: 'x' }, '5', 7],
  ] as [BookQuery, string | number, number][]) {
    const filter = toFilter(query);
    const text = formatCursor(filter, { key, id });
    assert.throws(() => parseCursor(filter, text), { code: 'invalid_query' }, JSON.stringify([query, key]));
  }
});

describe('a cursor of groups of duplicates', () => {
  test('is parsed for its level only', () => {
    const text = formatGroupCursor('same', 7);
    assert.match(text, /^[\w-]+$/);
    assert.equal(parseGroupCursor('same', text), 7);
    assert.throws(() => parseGroupCursor('typo', text), { code: 'invalid_query' });
  });

  for (const text of [
    '',
    '%%%',
    encode(['same', 0]),
    encode(['same', '7']),
    encode(['same', 7, 1]),
    encode({}),
  ])
    test(`is refused: ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseGroupCursor('same', text), { code: 'invalid_query' });
    });
});

describe('a cursor of authors', () => {
  const table: [query: AuthorsParameters, position: { key: string; count?: number }][] = [
    [{}, { key: 'austen' }],
    [{ q: 'jane', sort: '-author' }, { key: 'austen' }],
    [{ sort: 'count' }, { key: 'austen', count: 7 }],
    [
      { sort: '-count', q: 'jane' },
      { key: '', count: 7 },
    ],
    [{ variants: true }, { key: 'austen' }],
    [{ variants: true, sort: 'count' }, { key: 'austen' }],
  ];
  for (const [query, position] of table) {
    test(`of ${JSON.stringify(query)} is parsed for this query only`, () => {
      const text = formatAuthorCursor(query, position);
      assert.match(text, /^[\w-]+$/);
      assert.deepEqual(parseAuthorCursor(query, text), { count: undefined, ...position });
      const others = [
        { ...query, q: 'emily' },
        { ...query, variants: query.variants !== true },
        { ...query, sort: query.sort === '-author' ? 'author' : '-author' },
      ] as const;
      for (const other of others)
        assert.throws(() => parseAuthorCursor(other, text), { code: 'invalid_query' }, JSON.stringify(other));
    });
  }

  test('belongs to the words of its query, however they are written', () => {
    const text = formatAuthorCursor({ q: 'Brontë' }, { key: 'bronte' });
    assert.equal(parseAuthorCursor({ q: 'BRONTE' }, text).key, 'bronte');
    assert.equal(parseAuthorCursor({ q: 'brontë', sort: 'author', variants: false }, text).key, 'bronte');
  });

  const [mark] = JSON.parse(Buffer.from(formatAuthorCursor({}, { key: 'a' }), 'base64url').toString()) as [
    string,
  ];
  const [countMark] = JSON.parse(
    Buffer.from(formatAuthorCursor({ sort: 'count' }, { key: 'a', count: 1 }), 'base64url').toString(),
  ) as [string];
  const refused: [query: AuthorsParameters, value: unknown][] = [
    [{}, [mark, 7]],
    [{}, [mark]],
    [{}, [mark, 'a', 1]],
    [{}, [mark, 'a', null]],
    [{}, ['x', 'a']],
    [{ sort: 'count' }, [countMark, 'a']],
    [{ sort: 'count' }, [countMark, 'a', 0]],
    [{ sort: 'count' }, [countMark, 'a', '1']],
    [{ sort: 'count' }, [countMark, 'a', 1, 1]],
  ];
  for (const [query, value] of refused)
    test(`is refused: ${JSON.stringify(value)} of ${JSON.stringify(query)}`, () => {
      assert.throws(() => parseAuthorCursor(query, encode(value)), { code: 'invalid_query' });
    });
});
