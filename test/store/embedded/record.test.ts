import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeBook, ReadBooks } from '../../../src/store/embedded/record.ts';

const emma = { id: 7, title: 'Emma', author: 'Jane Austen', year: 1815 };

describe('what was read before', () => {
  test('is the same book, which nobody can change', () => {
    const read = new ReadBooks();
    const book = read.decode(7, encodeBook(emma));
    assert.deepEqual(book, emma);
    assert.ok(Object.isFrozen(book));
    assert.equal(read.decode(7, encodeBook(emma)), book);
  });

  test('is another one as soon as its record is', () => {
    const read = new ReadBooks();
    read.decode(7, encodeBook(emma));
    const changed = { ...emma, year: 1816 };
    assert.deepEqual(read.decode(7, encodeBook(changed)), changed);
    assert.deepEqual(read.decode(7, encodeBook(emma)), emma);
    assert.deepEqual(read.decode(8, encodeBook({ ...emma, id: 8 })), { ...emma, id: 8 });
  });

  for (const damaged of ['', '{', 'null', '{"id":8,"title":"","author":"","year":0}', '{"id":7}'])
    test(`is none where the record is ${JSON.stringify(damaged)}`, () => {
      const read = new ReadBooks();
      read.decode(7, encodeBook(emma));
      assert.equal(read.decode(7, damaged), undefined);
    });

  test('is not kept if it is long, and no more than 10,000 are', () => {
    const read = new ReadBooks();
    const long = encodeBook({ ...emma, title: 'E'.repeat(1000) });
    assert.notEqual(read.decode(7, long), read.decode(7, long));
    const textOf = (id: number) => encodeBook({ ...emma, id });
    const first = read.decode(1, textOf(1));
    for (let id = 2; id <= 10_000; id++) read.decode(id, textOf(id));
    assert.equal(read.decode(1, textOf(1)), first);
    read.decode(10_001, textOf(10_001));
    assert.notEqual(read.decode(1, textOf(1)), first);
  });
});
