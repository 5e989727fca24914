import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { anyBook } from '../../../support/arbitraries.ts';
import { startSession } from '../../../support/session.ts';

const session = await startSession({ after });
const { folder } = session;
const path = (name: string) => join(folder, name);

const nasty = [
  '',
  ' ',
  '\n',
  '\r\n',
  '"',
  ',',
  ';',
  '\t',
  "'",
  '=1+1',
  "'=x",
  "''+",
  '-',
  '@',
  '007',
  '1/2',
  'é',
  '書😀',
  'A',
];
const text = fc.array(fc.constantFrom(...nasty), { maxLength: 5 }).map((parts) => parts.join(''));
const integer = fc.oneof(fc.integer(), fc.constantFrom(0, -1750, Number.MAX_SAFE_INTEGER));
const options = fc.record({
  file: fc.constantFrom('x.csv', 'x.tsv', 'x.txt'),
  excel: fc.boolean(),
  bom: fc.boolean(),
  delimiter: fc.constantFrom(undefined, ',', ';', 'tab', '|'),
});

interface Summary {
  added: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

async function match(): Promise<Summary> {
  const { stdout, stderr } = await session.run(['import', 'y.csv', '--match', 'id', '--json']);
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as Summary;
}

test('a random catalogue, exported and imported, changes nothing; with k edited rows, exactly k books', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyBook({ text, integer }), { minLength: 1, maxLength: 12 }),
      options,
      fc.array(fc.nat(), { maxLength: 4 }),
      async (books, { file, excel, bom, delimiter }, picks) => {
        const old = (await session.run(['list'])).stdout.match(/^\d+/gm) ?? [];
        if (old.length > 0) await session.run(['delete', '--yes', ...old]);
        await session.run(['import', '-', '--json'], { input: JSON.stringify(books) });
        await rm(path(file), { force: true });
        const named = delimiter === undefined ? [] : ['--delimiter', delimiter];
        const flags = [excel ? '--excel' : '--with-ids', ...(bom ? ['--bom'] : []), ...named];
        assert.equal((await session.run(['export', file, ...flags])).code, 0);
        const exported = await readFile(path(file), 'utf8');
        await writeFile(path('y.csv'), exported);
        const same = await match();
        assert.deepEqual([same.added, same.updated, same.unchanged, same.rejected], [0, 0, books.length, 0]);

        // As a spreadsheet program saves it: with its own delimiter, quotes and line ends.
        const cut =
          delimiter === 'tab' || (delimiter === undefined && file === 'x.tsv') ? '\t' : (delimiter ?? ',');
        const rows: string[][] = parse(exported, { bom: true, delimiter: cut });
        const edited = new Set(picks.map((pick) => pick % books.length));
        for (const at of edited) {
          const row = rows[at + 1];
          if (row !== undefined) row[2] = `${row[2] ?? ''}edited`;
        }
        await writeFile(path('y.csv'), stringify(rows, { delimiter: ';', record_delimiter: '\n' }));
        const before = JSON.parse((await session.run(['list', '--json'])).stdout) as object[];
        const changed = await match();
        assert.deepEqual([changed.added, changed.updated, changed.rejected], [0, edited.size, 0]);
        const now = JSON.parse((await session.run(['list', '--json'])).stdout) as object[];
        const differing = now.filter((book, i) => JSON.stringify(book) !== JSON.stringify(before[i]));
        assert.equal(differing.length, edited.size);
      },
    ),
    { numRuns: 25, seed: 7 },
  );
});
