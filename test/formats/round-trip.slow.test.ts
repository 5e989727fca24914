import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fieldsOf, type Book, type BookFields } from '../../src/catalogue/book.ts';
import { readCslItem } from '../../src/formats/csl.ts';
import { RisParser } from '../../src/formats/ris.ts';
import { createSerializer } from '../../src/formats/serializer.ts';
import { anyBook } from '../support/arbitraries.ts';
import { storedBook } from '../support/books.ts';
import { parsePieces } from '../support/chunks.ts';
import { sized } from '../support/size.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'Homer',
    'Austen, Jane',
    'Andrew Hunt, David Thomas',
    'a,b',
    'King Jr.',
    '',
    ' x ',
    'a\r\nER  - \nb',
    '<i>x</i>',
  ),
  fc
    .array(fc.constantFrom('TI  - ', '\n', '\r', ', ', ' ', 'von', 'A', 'b', 'Jr.', '\u2028'), {
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
);
const integers = fc.oneof(fc.constantFrom(0, -1750, 868, 1999, 12_345), fc.maxSafeInteger());
const someBooks = fc.array(anyBook({ text: texts, integer: integers }).map(fieldsOf), { maxLength: 4 });

async function write(format: 'csl-json' | 'ris', books: readonly Book[]): Promise<string> {
  const { head, part, foot } = await createSerializer(format, { withIds: true });
  return head + part(books) + foot(books.length === 0);
}

const stored = (books: readonly BookFields[]) => books.map((fields, at) => storedBook(at + 1, fields));

const numRuns = sized({ short: 100, long: 1000 });

describe('any books are read back', () => {
  test('from CSL-JSON', async () => {
    await fc.assert(
      fc.asyncProperty(someBooks, async (books) => {
        const items = JSON.parse(await write('csl-json', stored(books))) as Record<string, unknown>[];
        assert.deepEqual(
          items.map(readCslItem),
          books.map((fields) => ({ fields })),
        );
      }),
      { numRuns },
    );
  });

  test('from RIS', async () => {
    await fc.assert(
      fc.asyncProperty(someBooks, async (books) => {
        if (books.length === 0) return;
        const text = await write('ris', stored(books));
        assert.deepEqual(parsePieces(new RisParser(), [text]).books, books);
      }),
      { numRuns },
    );
  });
});

describe('usual books', () => {
  const book = storedBook(7, { title: 'The pragmatic programmer', author: 'Andrew Hunt, Homer', year: 1999 });

  test('need no exact copy in CSL-JSON', async () => {
    assert.deepEqual(
      JSON.parse(
        await write('csl-json', [
          storedBook(7, { ...book, author: 'Andrew Hunt, Martin Luther King Jr., Homer' }),
        ]),
      ),
      [
        {
          id: 7,
          type: 'book',
          title: 'The pragmatic programmer',
          author: [
            { family: 'Hunt', given: 'Andrew' },
            { family: 'King', given: 'Martin Luther', suffix: 'Jr.' },
            { literal: 'Homer' },
          ],
          issued: { 'date-parts': [[1999]] },
        },
      ],
    );
  });

  test('need no exact copy in RIS', async () => {
    assert.equal(
      await write('ris', [storedBook(7, { ...book, author: 'Andrew Hunt, Charles de Gaulle' })]),
      [
        'TY  - BOOK',
        'ID  - 7',
        'TI  - The pragmatic programmer',
        'AU  - Hunt, Andrew',
        'AU  - de Gaulle, Charles',
        'PY  - 1999',
        'ER  - ',
        '',
        '',
      ].join('\r\n'),
    );
  });

  test('an exact copy does not count where another program has changed the record', async () => {
    const [item] = JSON.parse(
      await write('csl-json', [storedBook(1, { title: 'a\nb', author: '', year: 1 })]),
    ) as Record<string, unknown>[];
    assert.deepEqual(readCslItem({ ...item, title: 'c' }), { fields: { title: 'c', author: '', year: 1 } });
  });
});
