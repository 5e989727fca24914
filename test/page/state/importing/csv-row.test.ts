import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { CsvReader } from '../../../../src/page/state/importing/reading/csv-reader.ts';
import type { TableRow } from '../../../../src/page/state/importing/reading/table.ts';

const cell = fc
  .array(fc.constantFrom('a', 'é', '書', ' ', '"', '""', ',', ';', '\t', '\n', '\r\n', "'"), { maxLength: 5 })
  .map((parts) => parts.join(''));
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }));

/** Reads a text in pieces that end at these places. */
function read(text: string, cuts: readonly number[]): string[][] {
  const reader = new CsvReader();
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const rows: TableRow[] = [];
  for (const [i, place] of places.entries()) rows.push(...reader.push(text.slice(places[i - 1] ?? 0, place)));
  rows.push(...reader.end());
  assert.deepEqual(new Set(rows.map(({ fault }) => fault)), new Set(rows.length > 0 ? [undefined] : []));
  return rows.map(({ cells }) => cells as string[]);
}

test('rows equal those of another parser, wherever the text is cut', () => {
  fc.assert(
    fc.property(
      table,
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.array(fc.nat(), { maxLength: 5 }),
      (rows, delimiter, lineEnd, isEnded, cuts) => {
        const head = ['title', 'b', 'c', 'd'].slice(0, rows[0]?.length ?? 2);
        // A quote within a cell must not decide the delimiter; empty rows are skipped by both.
        const all = [head, ...rows.filter((row) => row.join('').trim() !== '')];
        if (head.length === 1) return; // Without a delimiter in the first line, another one may be found.
        const written = stringify(all, { delimiter, record_delimiter: lineEnd, quoted_match: /[\r\n]/ });
        const text = isEnded ? written : written.slice(0, -lineEnd.length);
        const expected: string[][] = parse(text, { delimiter, record_delimiter: lineEnd });
        assert.deepEqual(read(text, cuts), expected.slice(1));
      },
    ),
    { numRuns: 2000 },
  );
});
