import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { cleanEnvironment, program } from '../../../support/cli.ts';
import { temporaryFolder } from '../../../support/temp.ts';
import { bomb, cellsOf, workbook } from '../../../support/workbook.ts';
import { sized } from '../../../support/size.ts';

const folder = await temporaryFolder({ after });
/** The peak of the child alone: `resourceUsage` counts that of its parent before it, too. */
const sayMemory =
  'data:text/javascript,import{readFileSync}from"node:fs";process.on("exit",()=>console.error(readFileSync("/proc/self/status","utf8")))';

/** Imports a file without a service; gives what the program says, and how many megabytes it took. */
async function importAlone(file: Uint8Array): Promise<{ said: string; megabytes: number }> {
  await writeFile(join(folder, 'books.xlsx'), file);
  const options = ['--import', sayMemory, program, 'import', 'books.xlsx', '--dry-run'];
  const { stderr } = spawnSync(process.execPath, options, {
    cwd: folder,
    env: cleanEnvironment(folder),
    encoding: 'utf8',
  });
  return { said: stderr, megabytes: Number(/VmHWM:\s+(\d+) kB/.exec(stderr)?.[1]) / 1024 };
}

const sheet = 'xl/worksheets/sheet1.xml';
/** What is packed so well is no bomb: its rows are read one by one. */
const longTexts = (rows: number, length: number) =>
  workbook({ sheets: { Books: cellsOf('title') + cellsOf('a'.repeat(length)).repeat(rows) } });
const shared = 'xl/sharedStrings.xml';
const table: [what: string, file: () => Uint8Array, said: RegExp][] = [
  ['a sheet of 315 MB', () => bomb(sheet, 315), /larger than 128 MiB, or than 1 GiB unpacked/],
  ['a sheet of 315 MB that the archive says to have 1 KB', () => bomb(sheet, 315, 1000), /is damaged/],
  ['shared texts of 315 MB, said to have 60', () => bomb(shared, 315, 60_000_000), /is damaged/],
  [
    'a sheet of 315 MB in long texts',
    () => longTexts(10_500, 30_000),
    /would add 10500 books, leave out 0\n/,
  ],
  [
    '100,000 rows',
    () => {
      const rows = Array.from({ length: 100_000 }, (_, i) => cellsOf(`Book ${i}`, `Author ${i}`, 1900));
      return workbook({ sheets: { Books: cellsOf('title', 'author', 'year') + rows.join('') } });
    },
    /would add 100000 books, leave out 0\n/,
  ],
];
// The others take a minute.
const tested = sized({ short: table.slice(0, 1), long: table });
for (const [what, file, said] of tested)
  test(`an Excel file takes less than 300 MB: ${what}`, { skip: process.platform !== 'linux' }, async () => {
    const found = await importAlone(file());
    assert.match(found.said, said);
    assert.ok(found.megabytes < 300, `${found.megabytes} MB`);
  });
