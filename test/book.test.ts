import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseBookFields, parseBookPatch, parseId, toBook } from '../src/book.ts';
import { ShelflistError } from '../src/errors.ts';

const max = 2 ** 53 - 1;

describe('a body that is book fields', () => {
  const table: [body: unknown, fields: object][] = [
    [
      { title: 'Emma', author: 'Jane Austen', year: 1815 },
      { title: 'Emma', author: 'Jane Austen', year: 1815 },
    ],
    [{}, { title: '', author: '', year: 0 }],
    [{ title: '' }, { title: '', author: '', year: 0 }],
    [{ year: -1750 }, { title: '', author: '', year: -1750 }],
    [{ year: max }, { title: '', author: '', year: max }],
    [{ year: -max }, { title: '', author: '', year: -max }],
    [
      { id: 99, title: 'Emma', isbn: 'x' },
      { title: 'Emma', author: '', year: 0 },
    ],
    [{ title: '\u0000 \u{1f4da} e\u0301' }, { title: '\u0000 \u{1f4da} e\u0301', author: '', year: 0 }],
    [JSON.parse('{"year":1965.0}'), { title: '', author: '', year: 1965 }],
    [JSON.parse('{"__proto__":{"title":"x"},"constructor":1}'), { title: '', author: '', year: 0 }],
  ];
  for (const [body, fields] of table) {
    test(JSON.stringify(body), () => {
      assert.deepEqual(parseBookFields(body), fields);
    });
  }

  test('-0 is 0', () => {
    assert.ok(Object.is(parseBookFields({ year: -0 }).year, 0));
  });

  test('an update names only what the body names', () => {
    assert.deepEqual(parseBookPatch({ year: 1 }), { year: 1 });
    assert.deepEqual(parseBookPatch({}), {});
  });

  test('any well-formed text and any safe integer come out as they went in', () => {
    const fields = {
      title: fc.string({ unit: 'binary' }),
      author: fc.string({ unit: 'binary' }),
      year: fc.maxSafeInteger(),
    };
    fc.assert(
      fc.property(fc.record(fields, { noNullPrototype: true }), (book) => {
        assert.deepEqual(parseBookFields(JSON.parse(JSON.stringify(book))), book);
      }),
    );
  });
});

describe('a body that is none', () => {
  const table: unknown[] = [
    undefined,
    null,
    1,
    'text',
    true,
    [],
    [{ title: 'Emma' }],
    { title: 1 },
    { title: null },
    { author: ['Jane'] },
    { author: { $gt: '' } },
    { year: '1815' },
    { year: null },
    { year: 1815.5 },
    { year: max + 1 },
    { year: -max - 1 },
    { year: 1e300 },
    { title: 'half a \ud800 pair' },
    { author: '\udc00' },
  ];
  for (const body of table) {
    test(body === undefined ? 'not JSON' : JSON.stringify(body), () => {
      assert.throws(() => parseBookFields(body), {
        code: 'invalid_input',
        status: 400,
        wireMessage: 'Invalid input',
      });
    });
  }

  test('whatever JSON it is, it is parsed or refused', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          const { title, author, year } = parseBookFields(value);
          assert.ok(typeof title === 'string' && typeof author === 'string' && Number.isSafeInteger(year));
        } catch (error) {
          assert.ok(error instanceof ShelflistError && error.code === 'invalid_input');
        }
      }),
    );
  });
});

describe('an id in a path', () => {
  for (const text of ['1', '7', '10', String(max)]) {
    test(`${text} is one`, () => {
      assert.equal(parseId(text), Number(text));
    });
  }
  const none = [
    '',
    '0',
    '07',
    '7.0',
    '+7',
    '-7',
    '1e1',
    ' 7',
    '7 ',
    'abc',
    '0x7',
    '٧',
    String(2 ** 53),
    '9'.repeat(400),
  ];
  for (const text of none) {
    test(`${JSON.stringify(text).slice(0, 30)} is none`, () => {
      assert.equal(parseId(text), undefined);
    });
  }
});

test('a book from outside has its four members and nothing else', () => {
  const book = { id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 };
  assert.deepEqual(toBook({ ...book, extra: 1 }), book);
  const none = [
    null,
    1,
    [],
    {},
    { ...book, id: 0 },
    { ...book, id: 1.5 },
    { ...book, title: 1 },
    { ...book, year: '1' },
  ];
  for (const value of none) assert.equal(toBook(value), undefined);
});
