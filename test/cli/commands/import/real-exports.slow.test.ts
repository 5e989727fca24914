import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { headers, programExports } from '../../../import/files.ts';
import { startSession } from '../../../support/session.ts';

const session = await startSession({ after });

/** Imports a file into an empty catalogue; gives the books, without their ids, and what it says of the columns. */
async function load(file: string | Uint8Array, options: string[] = []) {
  const ids = (await session.run(['list'])).stdout.match(/^\d+/gm) ?? [];
  if (ids.length > 0) await session.run(['delete', '--yes', ...ids]);
  await writeFile(join(session.folder, 'books.csv'), file);
  await rm(join(session.folder, 'left.csv'), { force: true });
  const { code, stderr } = await session.run(['import', 'books.csv', ...options]);
  const { stdout } = await session.run(['list', '--json']);
  const books = JSON.parse(stdout) as { title: string; author: string; year: number }[];
  return { code, stderr, books: books.map(({ title, author, year }) => [title, author, year]) };
}

describe('the export of a program is read as it is', () => {
  for (const [program, file, books] of programExports) {
    test(program, async () => {
      const outcome = await load(file);
      assert.deepEqual([outcome.code, outcome.books], [0, books], outcome.stderr);
    });
  }
});

describe('headers in other languages', () => {
  for (const [language, header] of headers) {
    test(language, async () => {
      const { books } = await load(`${header}\nEmma;Jane Austen;1815\n`);
      assert.deepEqual(books, [['Emma', 'Jane Austen', 1815]]);
    });
  }
});
