import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  exampleBook,
  fieldsOf,
  hasSameFields,
  parseBookFields,
  parseBookPatch,
  parseId,
  textLength,
  toBook,
} from '../../src/catalogue/book.ts';
import { ShelflistError } from '../../src/catalogue/errors.ts';
import { fieldNames, fields } from '../../src/catalogue/fields.ts';
import { anyBook } from '../support/arbitraries.ts';
import { emptyBook } from '../support/books.ts';
import { sized } from '../support/size.ts';

const max = 2 ** 53 - 1;
const isString = (value: unknown) => typeof value === 'string';

describe('parseBookFields accepts', () => {
  const table: [body: unknown, book: object][] = [
    [exampleBook, exampleBook],
    [{}, emptyBook],
    [{ title: '' }, emptyBook],
    [{ year: -1750 }, { ...emptyBook, year: -1750 }],
    [{ year: max }, { ...emptyBook, year: max }],
    [{ year: -max }, { ...emptyBook, year: -max }],
    [
      { id: 99, title: 'Emma', unknown: 'x' },
      { ...emptyBook, title: 'Emma' },
    ],
    [{ title: '\u0000 \u{1f4da} e\u0301' }, { ...emptyBook, title: '\u0000 \u{1f4da} e\u0301' }],
    [JSON.parse('{"year":1965.0}'), { ...emptyBook, year: 1965 }],
    [JSON.parse('{"__proto__":{"title":"x"},"constructor":1}'), emptyBook],
  ];
  for (const [body, book] of table) {
    test(JSON.stringify(body), () => {
      assert.deepEqual(parseBookFields(body), book);
    });
  }

  test('-0 is 0', () => {
    assert.ok(Object.is(parseBookFields({ year: -0 }).year, 0));
  });

  test('parseBookPatch returns only the fields in the body', () => {
    assert.deepEqual(parseBookPatch({ year: 1 }), { year: 1 });
    assert.deepEqual(parseBookPatch({}), {});
  });

  test('any well-formed text and any safe integer, unchanged', () => {
    const books = anyBook({ text: fc.string({ unit: 'binary' }), integer: fc.maxSafeInteger() });
    fc.assert(
      fc.property(books, (book) => {
        assert.deepEqual(parseBookFields(JSON.parse(JSON.stringify(book))), { ...book });
      }),
      { numRuns: sized({ short: 20, long: 100 }) },
    );
  });
});

describe('parseBookFields refuses', () => {
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
      });
    });
  }

  test('any JSON value is parsed or refused with invalid_input', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          const book = parseBookFields(value);
          for (const name of fieldNames) {
            const isRight = fields[name].type === 'integer' ? Number.isSafeInteger : isString;
            assert.ok(isRight(book[name]), name);
          }
        } catch (error) {
          assert.ok(error instanceof ShelflistError && error.code === 'invalid_input');
        }
      }),
    );
  });
});

describe('parseId', () => {
  for (const text of ['1', '7', '10', String(max)]) {
    test(`accepts ${text}`, () => {
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
    test(`refuses ${JSON.stringify(text).slice(0, 30)}`, () => {
      assert.equal(parseId(text), undefined);
    });
  }
});

test('toBook returns the members of a book only', () => {
  const book = { id: 1, ...exampleBook };
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

test('a refused book is told with the field and its type', () => {
  const table: [body: unknown, message: string][] = [
    [null, 'a book is a JSON object with title, author and year'],
    [{ year: '1815' }, 'year is not an integer from -(2^53-1) to 2^53-1'],
    [{ title: 7 }, 'title is not a string'],
    [{ author: '\ud800' }, 'author is not Unicode text: it contains half a surrogate pair'],
  ];
  for (const [body, message] of table) assert.throws(() => parseBookFields(body), { message });
});

test('the fields of a book are all of its members but the id', () => {
  assert.deepEqual(fieldsOf({ id: 7, ...exampleBook } as never), exampleBook);
  assert.equal(textLength({ ...emptyBook, title: 'Emma', author: '🙂' }), 6);
});

test('books have the same contents if every field is equal', () => {
  assert.ok(hasSameFields(exampleBook, { ...exampleBook, id: 7 } as never));
  for (const name of fieldNames)
    assert.ok(!hasSameFields(exampleBook, { ...exampleBook, [name]: emptyBook[name] }), name);
});
