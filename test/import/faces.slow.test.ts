import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parse } from 'dotenv';
import type { Page } from 'playwright-core';
import { fileFormats } from '../../src/formats/file-formats.ts';
import { openPage, skip } from '../support/browser.ts';
import { logIn } from '../support/catalogue-page.ts';
import { marc8Record, marcExamples, marcRecord } from '../support/marc-file.ts';
import { startSession } from '../support/session.ts';
import {
  badBytes,
  csvFiles,
  damagedFiles,
  failingFiles,
  firstCharacters,
  formatFiles,
  headers,
  jsonFiles,
  kindsOfFiles,
  ndjsonFiles,
  programExports,
  unmatchedQuotes,
  unreadableFiles,
  withBadBytes,
} from './files.ts';
import { sized } from '../support/size.ts';

const step = sized({ short: 15, long: 1 });

interface ImportedFile {
  readonly what: string;
  readonly content: string | Uint8Array;
  /** Of its name. Default: `csv`; the content tells JSON, too. */
  readonly extension?: string;
}

const marc = Buffer.concat(marcExamples.map(({ fields }) => marcRecord(fields)));
const files: readonly ImportedFile[] = [
  ...[...csvFiles, ...unmatchedQuotes, ...unreadableFiles, ...jsonFiles, ...ndjsonFiles].map(
    ([what, content]) => ({ what, content }),
  ),
  ...badBytes.map(([what, file]) => ({ what, content: withBadBytes(file) })),
  ...[...firstCharacters, ...damagedFiles, ...failingFiles].map(({ what, file }) => ({
    what,
    content: file,
  })),
  ...[...kindsOfFiles, ...programExports].map(([what, content]) => ({ what, content })),
  ...headers.map(([what, header]) => ({ what, content: `${header}\nEmma;Jane Austen;1815\n` })),
  { what: 'several columns for a field', content: 'Titel;Untertitel;Name;Vorname\nA;B;C;D\n' },
  { what: 'a header below a title', content: 'Our books,,\n,,\nTitle,Author 1,Author 2\nA,B,C\n' },
  { what: 'a total at the end', content: 'Title,Author,Price\nA,B,1\nTotal,,1\n' },
  { what: 'years to check', content: 'Title,Year\nA,soon\nB,2998\n' },
  ...formatFiles.flatMap(({ what, file: content, format = 'csv' }) => {
    const [extension = 'json'] = fileFormats[format].extensions;
    return [
      { what, content, extension },
      { what: `${what}, compressed`, content: gzipSync(content), extension: `${extension}.gz` },
    ];
  }),
  {
    what: 'MARC21, also in MARC-8',
    content: Buffer.concat([marc, marc8Record(['245 10$aA'])]),
    extension: 'mrc',
  },
  { what: 'MARC21 that is cut off', content: marc.subarray(0, -100), extension: 'mrc' },
  { what: 'RIS of none', content: '', extension: 'ris' },
];

/** What came of an import. */
interface Result {
  readonly books: readonly string[];
  /** `line: reason` */
  readonly rejects: readonly string[];
  /** `line: note` */
  readonly notes: readonly string[];
  /** Why not all of the file was read: what precedes the advice, which differs, and the end of the sentence. */
  readonly problem: string | undefined;
}

const noTitle = 'no column looks like the title';
const textOf = (problem: string) =>
  problem.charAt(0).toLowerCase() + problem.slice(1).replace(/(;.*)?\.?$/s, '');

/** Imports a file by choosing it in the page. */
async function importByPage(page: Page, name: string, content: Buffer): Promise<Omit<Result, 'books'>> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: content });
  const failed = page.getByRole('heading', { name: `${name} cannot be read` });
  const preview = page.getByText(new RegExp(`^${name}: [\\d,]+ rows?$`));
  await failed.or(preview).waitFor();
  if (await failed.isVisible()) {
    const problem = await page.locator('.callout p').innerText();
    return { rejects: [], notes: [], problem: textOf(problem.replace(' Nothing was imported.', '')) };
  }
  const start = page.getByRole('button', { name: /^Import [\d,]+ rows?$/ });
  const canStart = (await start.getAttribute('aria-disabled')) === 'false';
  const isUntitled = await page.getByText('Choose the column with the titles.').isVisible();
  if (canStart) {
    await page.getByLabel('Add them again').check();
    await start.click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
  }
  const listed = async (list: string) => {
    const rows = page.locator(`${list} .reject`);
    const lines = await rows.locator('.reject-line').allTextContents();
    const reasons = await rows.locator('.reject-reason').allTextContents();
    return lines.map((line, i) => {
      const reason = reasons[i] ?? '';
      return `${line.replace(/\D/g, '')}: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
    });
  };
  const [rejects, notes] = [await listed('.rejected-rows'), await listed('.noted-rows')];
  const [problem] = await page.locator('.callout p').allInnerTexts();
  await page.getByRole('button', { name: /^(Import another file|Choose another file)$/ }).click();
  await page.getByText('Drop a file here').waitFor();
  return { rejects, notes, problem: isUntitled ? noTitle : problem && textOf(problem) };
}

describe('command and page make the same of a file', { skip }, async () => {
  if (skip !== false) return;
  const session = await startSession({ after });
  const settings = parse(await readFile(join(session.folder, '.env')));
  const page = await openPage({ after }, `${session.service.url}/?view=import`);
  await logIn(page, { username: settings.AUTH_USERNAME ?? '', password: settings.AUTH_PASSWORD ?? '' });
  await page.getByText('Drop a file here').waitFor();

  /** The books that were added since the last call. */
  let last = 0;
  const newBooks = async () => {
    const { stdout } = await session.run(['list', '--json', '--sort', 'id']);
    const books = JSON.parse(stdout) as { id: number; title: string; author: string; year: number }[];
    const added = books.filter(({ id }) => id > last);
    last = Math.max(last, ...added.map(({ id }) => id));
    return added.map(({ title, author, year }) => JSON.stringify([title, author, year]));
  };

  async function importByCommand(name: string): Promise<Omit<Result, 'books'>> {
    const { stdout, stderr } = await session.run(['import', name, '--json']);
    const report = JSON.parse(stdout || '{}') as {
      rejects?: { line: number; reason: string }[];
      notes?: { line: number; note: string }[];
    };
    const { error } = JSON.parse(stderr || '{}') as { error?: { message: string } };
    const message =
      error === undefined || /^left out \d+ rows?$/.test(error.message) ? undefined : error.message;
    return {
      rejects: (report.rejects ?? []).map(({ line, reason }) => `${line}: ${reason}`),
      notes: (report.notes ?? []).map(({ line, note }) => `${line}: ${note}`),
      problem: message?.startsWith(noTitle) === true ? noTitle : message && textOf(message),
    };
  }

  // In the short form some of each kind.
  for (const [i, { what, content, extension = 'csv' }] of [...files.entries()].filter(
    ([i]) => i % step === 0,
  ))
    test(what, async () => {
      const name = `books-${i}.${extension}`;
      await writeFile(join(session.folder, name), content);
      const command = { ...(await importByCommand(name)), books: await newBooks() };
      const byPage = { ...(await importByPage(page, name, Buffer.from(content))), books: await newBooks() };
      // A table without rows is no error for a script, and a mistake of a reader.
      const isEmpty = byPage.problem?.startsWith('it has no rows of books') === true;
      if (isEmpty) assert.deepEqual([command.books, command.rejects, command.problem], [[], [], undefined]);
      else assert.deepEqual(byPage, command);
    });
});
