import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldNames } from '../../../src/catalogue/fields.ts';
import { cellAfter, rangeOf, sizeOf } from '../../../src/page/state/cells.ts';
import { formatCells, parseCells, planPaste } from '../../../src/page/state/paste.ts';

const one = { rows: 1, columns: 1 };
const books = [
  { id: 1, title: 'Emma', author: 'Austen', year: 1815 },
  { id: 2, title: 'Orlando', author: 'Woolf', year: 1928 },
  { id: 3, title: 'Beloved', author: 'Morrison', year: 1987 },
];

describe('the text that spreadsheet programs copy', () => {
  for (const [text, cells] of [
    [
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a', [['a']]],
    ['', [['']]],
    ['a\n\nb\n', [['a'], [''], ['b']]],
    [
      'a\t\n\tb',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['"two\nlines"\t"say ""so"""\n', [['two\nlines', 'say "so"']]],
    ['"quoted" in part\tb"c', [['"quoted" in part', 'b"c']]],
    ['"open\tb\nc', [['"open', 'b'], ['c']]],
  ] as const)
    test(`${JSON.stringify(text)} is read`, () => {
      assert.deepEqual(parseCells(text), cells);
    });

  test('cells survive a copy, and none of them becomes a formula', () => {
    const rows = [
      ['=1+1', '"a"', 'b\tc'],
      ['', 'd\ne', '-44'],
    ];
    const text = formatCells(rows);
    assert.ok(text.startsWith("'=1+1\t"));
    const [first] = planPaste(parseCells(text), ['author'], books, one).changes;
    assert.deepEqual(first?.[1], { author: '=1+1' });
    assert.deepEqual(parseCells(text)[0]?.slice(1), ['"a"', 'b\tc']);
  });
});

describe('a paste', () => {
  test('changes the cells that differ, from the first one on', () => {
    const plan = planPaste(
      [
        ['Emma', 'Jane Austen'],
        ['Flush', 'Woolf'],
      ],
      fieldNames,
      books,
      one,
    );
    assert.deepEqual(plan.changes, [
      [books[0], { author: 'Jane Austen' }],
      [books[1], { title: 'Flush' }],
    ]);
    assert.deepEqual([plan.cells, plan.outside, plan.untitled, plan.wrong], [2, 0, 0, []]);
  });

  test('says what does not fit: other columns, rows after the list, words for a year, and blank titles', () => {
    const cells = [['', 'A', 'soon', 'x'], ['B', '', 'MCMXCVIII', ''], ['C'], ['D']];
    const plan = planPaste(cells, fieldNames, books, one);
    assert.deepEqual(plan.changes, [
      [books[0], { author: 'A' }],
      [books[1], { title: 'B', author: '', year: 1998 }],
      [books[2], { title: 'C' }],
    ]);
    assert.deepEqual([plan.cells, plan.outside, plan.untitled, plan.wrong], [5, 3, 1, ['soon']]);
  });

  test('of one value fills the selected range, and a block repeats where it fits', () => {
    const filled = planPaste([['1900']], ['year'], books, { rows: 3, columns: 1 });
    assert.deepEqual(
      filled.changes.map(([, patch]) => patch),
      Array(3).fill({ year: 1900 }),
    );
    const repeated = planPaste([['a'], ['b']], ['author'], books, { rows: 2, columns: 1 });
    assert.equal(repeated.cells, 2);
    const once = planPaste([['a'], ['b']], ['author'], books, { rows: 3, columns: 1 });
    assert.equal(once.cells, 2);
  });

  test('reads a line end within a text as a space', () => {
    const [first] = planPaste([[' Sense and\r\nSensibility ']], ['title'], books, one).changes;
    assert.deepEqual(first?.[1], { title: 'Sense and Sensibility' });
  });
});

describe('the cells of the table', () => {
  test('between two corners are those of the fields', () => {
    const range = rangeOf({ row: 4, column: 5 }, { row: 2, column: 0 }, 1, 3);
    assert.deepEqual(range, { from: { row: 2, column: 1 }, to: { row: 4, column: 3 } });
    assert.deepEqual(sizeOf(range), { rows: 3, columns: 3 });
  });

  test('Enter leads down, Tab after the last field to the next row, and Shift back', () => {
    const at = (key: string, isBack: boolean, column: number) =>
      cellAfter(key, isBack, { row: 5, column }, 1, 3);
    assert.deepEqual(at('Enter', false, 2), { row: 6, column: 2 });
    assert.deepEqual(at('Enter', true, 2), { row: 4, column: 2 });
    assert.deepEqual(at('Tab', false, 3), { row: 6, column: 1 });
    assert.deepEqual(at('Tab', true, 1), { row: 4, column: 3 });
    assert.deepEqual([at('Tab', false, 1), at('Tab', true, 3), at('a', false, 3)], Array(3).fill(undefined));
  });
});
