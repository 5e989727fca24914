import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isCslItem, readCslItem } from '../../src/formats/csl.ts';

describe('an item of CSL-JSON', () => {
  const table: {
    what: string;
    item: Record<string, unknown>;
    title: string;
    author: string;
    year: number;
  }[] = [
    {
      what: 'of Zotero',
      item: {
        id: 'http://zotero.org/users/1/items/ABC',
        type: 'book',
        'event-place': 'Reading, Mass',
        ISBN: '978-0-201-61622-4',
        title: 'The pragmatic programmer: from <i>journeyman</i> to master',
        'title-short': 'The pragmatic programmer',
        author: [
          { family: 'Hunt', given: 'Andrew' },
          { family: 'Thomas', given: 'David' },
        ],
        issued: { 'date-parts': [['1999']] },
      },
      title: 'The pragmatic programmer: from journeyman to master',
      author: 'Andrew Hunt, David Thomas',
      year: 1999,
    },
    {
      what: 'with particles, a suffix and a literal name',
      item: {
        type: 'book',
        title: 'Letters',
        author: [
          { family: 'Gogh', given: 'Vincent', 'non-dropping-particle': 'van' },
          { family: 'King', given: 'Martin Luther', suffix: 'Jr.' },
          { literal: 'Homer' },
        ],
        issued: { 'date-parts': [[-750, 3]] },
      },
      title: 'Letters',
      author: 'Vincent van Gogh, Martin Luther King Jr., Homer',
      year: -750,
    },
    {
      what: 'with a date as text',
      item: { type: 'book', title: 'A', issued: { raw: 'c1850' } },
      title: 'A',
      author: '',
      year: 1850,
    },
    {
      what: 'with a literal date',
      item: { type: 'book', title: 'A', issued: { literal: 'in press' } },
      title: 'A',
      author: '',
      year: 0,
    },
    {
      what: 'with editors alone',
      item: { type: 'book', title: 'A', editor: [{ family: 'Lee', given: 'Ann' }], issued: '2001-05' },
      title: 'A',
      author: 'Ann Lee',
      year: 2001,
    },
    {
      what: 'with nonsense',
      item: { type: 'book', title: 'A', author: [1, null, { family: 2 }], issued: { 'date-parts': 'x' } },
      title: 'A',
      author: '',
      year: 0,
    },
  ];
  for (const { what, item, title, author, year } of table)
    test(what, () => {
      assert.deepEqual(readCslItem(item), { fields: { title, author, year } });
    });

  test('without a title is not a book', () => {
    assert.deepEqual(readCslItem({ type: 'book', issued: {} }), {
      problem: { code: 'missing', field: 'title' },
    });
  });

  test('is told from other JSON', () => {
    for (const value of [
      { type: 'book', issued: {} },
      { type: 'book', author: [{ literal: 'A' }] },
    ])
      assert.ok(isCslItem(value), JSON.stringify(value));
    for (const value of [
      null,
      [],
      { issued: {} },
      { type: 'book', author: ['A'] },
      { type: 'book', author: 'A', title: 'B' },
    ])
      assert.ok(!isCslItem(value), JSON.stringify(value));
  });
});
