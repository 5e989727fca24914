import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  flag,
  integer,
  list,
  nothing,
  nullable,
  object,
  oneOf,
  partial,
  text,
  time,
  type Shape,
} from '../../src/api/shapes.ts';

const person = object({ name: text() }, { born: integer() });

describe('a value has the shape of', () => {
  const table: [what: string, shape: Shape, accepted: unknown[], refused: unknown[]][] = [
    ['a text', text(), ['', 'a', '1'], [1, null, undefined, ['a'], { length: 1 }, true]],
    ['a text with a pattern', text({ pattern: '^a+$' }), ['a', 'aa'], ['', 'b', 'ab', 1, ['a']]],
    ['one of some texts', oneOf(['a', 'b']), ['a', 'b'], ['', 'c', 'A', 1, ['a']]],
    [
      'an integer',
      integer(),
      [0, -1, 2 ** 53 - 1, 1 - 2 ** 53],
      ['1', 1.5, 2 ** 53, -(2 ** 53), NaN, Infinity, null, [1]],
    ],
    ['an integer with limits', integer({ minimum: 1, maximum: 3 }), [1, 2, 3], [0, 4, -1, 1.5]],
    ['a flag', flag(), [true, false], ['true', 0, 1, null]],
    ['nothing', nothing, [null], [undefined, 0, '', false, {}]],
    ['a list', list(integer()), [[], [1], [1, 2]], [1, '', null, {}, ['a'], [1, 'a'], [null], { length: 0 }]],
    ['what may be null', nullable(integer()), [null, 1], [undefined, 'a', []]],
    ['an object', person, [{ name: 'a' }, { name: 'a', born: 1 }], [{}, { born: 1 }, { name: 1 }, { name: 'a', born: 'b' }, { name: 'a', born: null }, null, undefined, 'a', 7, []]],
    ['an object of optional members', partial({ born: integer() }), [{}, { born: 1 }], [{ born: 'a' }, { born: null }]],
  ]; // prettier-ignore
  for (const [what, { parse }, accepted, refused] of table)
    test(what, () => {
      for (const value of accepted) assert.deepEqual(parse(value), value);
      for (const value of refused) assert.equal(parse(value), undefined, JSON.stringify(value));
    });
});

test('a time is read from a text, and from nothing else', () => {
  const { parse } = time();
  assert.deepEqual(parse('2026-11-29T10:00:00.000Z'), new Date('2026-11-29T10:00:00.000Z'));
  for (const value of ['', 'today', 0, 1_764_410_400_000, null, undefined])
    assert.equal(parse(value), undefined);
});

test('members that a newer service may send are left out, also in lists', () => {
  assert.deepEqual(list(person).parse([{ name: 'a', born: 1, more: 2 }]), [{ name: 'a', born: 1 }]);
  assert.deepEqual(person.parse({ name: 'a', born: undefined }), { name: 'a' });
});

test('a member of every object is no member of a shape', () => {
  assert.deepEqual(partial({ toString: text() }).parse({ toString: 'a' }), { toString: 'a' });
  assert.equal(object({ constructor: text() }).parse({}), undefined);
});

test('each shape has its JSON Schema', () => {
  const schemas: [shape: Shape, schema: object][] = [
    [text(), { type: 'string' }],
    [text({ pattern: 'a' }), { type: 'string', pattern: 'a' }],
    [oneOf(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    [time(), { type: 'string', format: 'date-time' }],
    [integer({ minimum: 1 }), { type: 'integer', minimum: 1 }],
    [flag(), { type: 'boolean' }],
    [nothing, { const: null }],
    [list(text(), { maxItems: 2 }), { type: 'array', maxItems: 2 }],
    [person, { type: 'object' }],
    [nullable(integer({ minimum: 1 })), { type: ['integer', 'null'], minimum: 1 }],
  ];
  for (const [{ schema }, expected] of schemas) assert.deepEqual(schema, expected);
  assert.deepEqual(Object.keys(person.members ?? {}), ['name']);
  assert.deepEqual(Object.keys(person.optional ?? {}), ['born']);
});
