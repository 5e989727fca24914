import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatCursor, parseCursor } from '../../src/api/cursor.ts';
import { toFilter, type BookQuery } from '../../src/catalogue/query.ts';

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

  test('names the rules of an order by title or author, and no other', () => {
    const position = { key: 'hobbit', id: 7, order: '0a1b2c3d' };
    for (const sort of ['-title', 'author'] as const) {
      const filter = toFilter({ sort });
      assert.deepEqual(parseCursor(filter, formatCursor(filter, position)), position);
    }
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
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
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
