import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe as describeProblem } from '../../src/formats/problems.ts';
import { withoutFarYears } from '../../src/import/far-years.ts';
import { checkYear } from '../../src/import/read-fields.ts';
import type { BookRow } from '../../src/import/row.ts';

/** Reads books of these years: `line: year (note)`, or `line: reason`; and what was asked. */
async function read(
  years: readonly number[],
  areRight: boolean,
  more: { needsYear?: boolean; isMatched?: boolean } = {},
) {
  const asked: string[] = [];
  async function* source(): AsyncGenerator<BookRow> {
    for (const [i, year] of years.entries()) {
      const row = {
        line: i + 1,
        unit: 'line',
        original: [],
        ...checkYear({ title: 'A', author: '', year }),
      } as const;
      yield await Promise.resolve(
        more.isMatched === true ? { ...row, key: { id: 1, revision: '', given: [] } } : row,
      );
    }
  }
  const ask = (row: BookRow, year: number) => {
    asked.push(`${row.line}: ${year}`);
    return Promise.resolve(areRight);
  };
  const rows: string[] = [];
  for await (const row of withoutFarYears(source(), { ask, needsYear: more.needsYear }))
    rows.push(
      'problem' in row
        ? `${row.line}: ${describeProblem(row.problem)}`
        : [
            `${row.line}: ${row.fields.year}`,
            ...(row.notes ?? []).map((note) => `(${describeProblem(note)})`),
          ].join(' '),
    );
  return { rows, asked };
}

test('years far ahead are asked about once; they are kept, or left out', async () => {
  const years = [1999, 2998, 2000, 20015];
  const kept = [
    '1: 1999',
    '2: 2998 (its year is far ahead: 2998)',
    '3: 2000',
    '4: 20015 (its year is far ahead: 20015)',
  ];
  assert.deepEqual(await read(years, true), { rows: kept, asked: ['2: 2998'] });
  const leftOut = (year: number) => `0 (its year is not understood, and stays empty: ${year})`;
  assert.deepEqual(await read(years, false), {
    rows: ['1: 1999', `2: ${leftOut(2998)}`, '3: 2000', `4: ${leftOut(20015)}`],
    asked: ['2: 2998'],
  });
});

test('a row without the year that it needs is rejected; one of a book keeps its year', async () => {
  assert.deepEqual(await read([2998], false, { needsYear: true }), {
    rows: ['1: its year is not understood: 2998'],
    asked: ['1: 2998'],
  });
  assert.deepEqual(await read([2998], false, { isMatched: true }), {
    rows: ['1: 2998 (its year is far ahead: 2998)'],
    asked: [],
  });
});
