import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import {
  CsvSplitter,
  escapeCell,
  formatCsv,
  formatExportRow,
  unescapeCell,
  type CsvRow,
} from '../../src/formats/csv.ts';
import { sized } from '../support/size.ts';

/** Reads a text in pieces that end at these places. */
function read(text: string, delimiter = ',', cuts: readonly number[] = []): CsvRow[] {
  const splitter = new CsvSplitter(delimiter);
  const places = [...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const rows: CsvRow[] = [];
  let from = 0;
  for (const place of places) {
    rows.push(...splitter.push(text.slice(from, place)));
    from = place;
  }
  rows.push(...splitter.end());
  return rows;
}

const parts = ['a', 'é', '書', '\udce9', ' ', '"', '""', ',', ';', '\t', '\n', '\r\n', '\r', '=', '="'];
const cell = fc.array(fc.constantFrom(...parts), { maxLength: 5 }).map((some) => some.join(''));
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }));
const delimiters = fc.constantFrom(',', ';', '\t');
const cuts = fc.array(fc.nat(), { maxLength: 5 });

test('rows that are written are read again as they were, and as csv-parse reads them', () => {
  fc.assert(
    fc.property(
      table,
      delimiters,
      fc.constantFrom('\n' as const, '\r\n' as const),
      cuts,
      (rows, delimiter, lineEnd, places) => {
        const exported = rows.map((row) => formatExportRow(row, 0, delimiter) + lineEnd).join('');
        // Elsewhere blank cells have no quotes, so that a row of one blank cell would be an empty line.
        const others = (rows[0]?.length ?? 0) > 1 ? [formatCsv(rows, { delimiter, lineEnd })] : [];
        for (const text of [exported, ...others]) {
          const found = read(text, delimiter, places).map(({ cells }) => cells);
          assert.deepEqual(found, rows);
          if (!text.isWellFormed()) continue; // csv-parse works on UTF-8.
          assert.deepEqual(found, parse(text, { delimiter, record_delimiter: lineEnd }));
        }
      },
    ),
    { numRuns: sized({ short: 200, long: 1000 }) },
  );
});

test('a text is split in the same way wherever its pieces end, damaged or not, and no character is lost', () => {
  fc.assert(
    fc.property(cell, cell, cell, cell, cuts, (a, b, c, d, places) => {
      const text = [a, b, c, d].join(',');
      const rows = read(text);
      assert.deepEqual(read(text, ',', places), rows);
      const lineEnds = /[\r\n]+/g;
      const bare = rows.map(({ raw }) => raw).join('');
      assert.equal(bare.replace(lineEnds, ''), text.replace(lineEnds, ''));
    }),
    { numRuns: sized({ short: 400, long: 2000 }) },
  );
});

test('the time to split a long cell is linear in the number of its pieces: this would take hours if it were quadratic', () => {
  for (const [start, end] of [
    ['', ''],
    ['"', '"'],
    ['"",', ''],
  ] as const) {
    const splitter = new CsvSplitter(',');
    let pending = [...splitter.push(start)].length;
    for (let i = 0; i < 1_000_000; i++) for (const row of splitter.push('x')) pending += row.cells.length;
    assert.equal(pending, 0);
    assert.equal(splitter.pendingLength, start.length + 1_000_000);
    const [row, ...others] = [...splitter.push(`${end}\n`), ...splitter.end()];
    assert.deepEqual(others, []);
    assert.equal(row?.cells.at(-1)?.length, 1_000_000);
  }
});

test('between tabs, only a cell that is quoted as a whole is quoted', () => {
  const rows = read('"A" is for\tB\n"c, d"\t"e\nf"\n"g\th "i" j\n', '\t');
  assert.deepEqual(
    rows.map(({ cells, isDamaged }) => [isDamaged, ...cells]),
    [
      [false, '"A" is for', 'B'],
      [false, 'c, d', 'e\nf'],
      [false, '"g', 'h "i" j'],
    ],
  );
});

test('a hundred thousand quotes that are never closed cost their own lines, in linear time', () => {
  const rows = read(`a,b\n${'"c,d\n'.repeat(100_000)}e,f\n`);
  assert.equal(rows.filter(({ isDamaged }) => isDamaged).length, 100_000);
  assert.deepEqual(rows.at(-1)?.cells, ['e', 'f']);
});

describe('rows have their lines', () => {
  const table: { what: string; text: string; rows: [line: number, lastLine: number, damaged: boolean, ...cells: string[]][] }[] = [
    { what: 'empty lines and line ends within cells', text: '\na\r\n\r\n"b\r\nc\rd"\n"e"', rows: [[2, 2, false, 'a'], [4, 6, false, 'b\r\nc\rd'], [7, 7, false, 'e']] },
    { what: 'carriage returns', text: 'a\rb\r', rows: [[1, 1, false, 'a'], [2, 2, false, 'b']] },
    { what: 'a quote that is never closed', text: 'a\n"b\nc\n', rows: [[1, 1, false, 'a'], [2, 2, true, '"b'], [3, 3, false, 'c']] },
    { what: 'quotes within a title, which are pairs', text: 'a,b\n"c" d,e\nf,g', rows: [[1, 1, false, 'a', 'b'], [2, 2, false, '"c" d', 'e'], [3, 3, false, 'f', 'g']] },
    { what: 'a quote within a cell of two lines', text: 'a,b\n"c "d"\ne",f\ng\nh,i', rows: [[1, 1, false, 'a', 'b'], [2, 2, true, '"c "d"'], [3, 3, true, 'e"', 'f'], [4, 4, true, 'g'], [5, 5, false, 'h', 'i']] },
    { what: 'white space around quotes', text: 'a, "b, c" ,d\n', rows: [[1, 1, false, 'a', 'b, c', 'd']] },
    { what: 'a quote within a cell', text: 'a"b\nc', rows: [[1, 1, true, 'a"b'], [2, 2, false, 'c']] },
    { what: 'formulas of a text', text: '="01",a\n="1,2"\n="3"4\n="5', rows: [[1, 1, false, '01', 'a'], [2, 2, false, '1,2'], [3, 3, true, '="3"4'], [4, 4, true, '="5']] },
  ]; // prettier-ignore
  for (const { what, text, rows } of table)
    test(what, () => {
      const found = read(text).map((row) => [row.line, row.lastLine, row.isDamaged, ...row.cells]);
      assert.deepEqual(found, rows);
    });
});

describe('a text that a spreadsheet program would change gets an apostrophe', () => {
  const changed = [
    ...['007', '1/2', '1e5', 'TRUE', '=1+1', '+1', '-1', '@x', '20.5'],
    ...['＝1+1', '＋x', '－x', '＠x', '\tx', '\rx', '\nx'],
    ...[
      'Mar-5',
      'March 2020',
      'DEC1',
      '5 May',
      '1 Jan 2020',
      '12:00 PM',
      '9am',
      '$5',
      '5 €',
      '(5)',
      '($5.20)',
      '.5',
      '5%',
    ],
  ];
  for (const text of changed)
    test(text, () => {
      assert.equal(escapeCell(text), `'${text}`);
      assert.equal(unescapeCell(`'${text}`), text);
      assert.equal(unescapeCell(escapeCell(`'${text}`)), `'${text}`);
    });
  for (const text of [
    '1984',
    '0',
    'May',
    'March of Folly',
    'Decline',
    '(five)',
    '$',
    'Emma',
    "'t",
    '12 Angry Men',
    '1 Samuel',
  ])
    test(`${text}: not`, () => {
      assert.equal(escapeCell(text), text);
      assert.equal(unescapeCell(text), text);
    });
});
