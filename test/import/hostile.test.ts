import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { describe as describeProblem } from '../../src/formats/problems.ts';
import { readBooks } from '../../src/import/read-books.ts';
import { openSource } from '../../src/cli/commands/import/source.ts';
import type { FormatName } from '../../src/formats/file-formats.ts';
import { sized } from '../support/size.ts';
import type { Io } from '../../src/cli/io.ts';

async function* inChunks(file: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += 65_536)
    yield await Promise.resolve(file.subarray(at, at + 65_536));
}

/** The rows of a file, or the message of the error that ends it. */
async function read(file: string | Buffer, format?: FormatName): Promise<string[]> {
  const rows: string[] = [];
  const options = { chosen: {}, format, onStart: () => undefined };
  try {
    for await (const row of readBooks(inChunks(Buffer.from(file as string)), options))
      rows.push('problem' in row ? describeProblem(row.problem) : row.fields.title);
  } catch (error) {
    rows.push((error as Error).message);
  }
  return rows;
}

describe('the time to read a file is linear in its size', () => {
  const many = sized({ short: 200_000, long: 2_000_000 });
  const marc = (fields: string) =>
    `<record xmlns="http://www.loc.gov/MARC21/slim">${fields}<datafield tag="245" ind1="0" ind2="0"><subfield code="a">Emma</subfield></datafield></record>`;
  const author = (name: string, relator = 'author') =>
    marc(
      `<datafield tag="700" ind1="1" ind2=" "><subfield code="a">${name}</subfield><subfield code="e">${relator}</subfield></datafield>`,
    );
  const table: { what: string; file: string; format: FormatName; rows: (string | RegExp)[] }[] = [
    { what: 'BibTeX, spaces after an @', file: `@${' '.repeat(many)}1 @book{a, title={B}}`, format: 'bibtex', rows: ['B'] },
    { what: 'BibTeX, a word after an @', file: `@${'a'.repeat(many)}1 @book{a, title={B}}`, format: 'bibtex', rows: ['B'] },
    { what: 'BibTeX, spaces before a key', file: `@book{${' '.repeat(many)}a b}\n@book{a, title={B}}`, format: 'bibtex', rows: [/cannot be read/, 'B'] },
    { what: 'BibTeX, accents', file: `@book{a, title={${String.raw`\'\d`.repeat(many / 4)} a B}}`, format: 'bibtex', rows: [/B$/] },
    { what: 'MARCXML, a relator of dots', file: author('A', `${'.'.repeat(many)}x`), format: 'marcxml', rows: ['Emma'] },
    { what: 'MARCXML, an author of commas', file: author(`${','.repeat(many)}x`), format: 'marcxml', rows: ['Emma'] },
    { what: 'MARCXML, an author of combining marks', file: author(`A${'\u0301\u0323'.repeat(many / 2)}`), format: 'marcxml', rows: ['Emma'] },
    { what: 'MARCXML, a title of colons', file: marc('').replace('Emma', `Emma${' : a'.repeat(many / 4)}`), format: 'marcxml', rows: [/^Emma: a: a/] },
    { what: 'MARCXML, a title of many parts', file: marc('').replace('</subfield>', `</subfield>${'<subfield code="p">a</subfield>'.repeat(many / 2)}`), format: 'marcxml', rows: [/^Emma\. a\. a/] },
    { what: 'MARCXML, many authors', file: author('A').replace(/<datafield tag="7.+?<\/datafield>/, (field) => field.repeat(many / 40)), format: 'marcxml', rows: ['Emma'] },
  ]; // prettier-ignore
  for (const { what, file, format, rows } of table)
    test(what, async () => {
      const found = await read(file, format);
      assert.equal(found.length, rows.length);
      for (const [i, row] of rows.entries())
        if (typeof row === 'string') assert.equal(found[i], row);
        else assert.match(found[i] ?? '', row);
    });

  test('CSV that was saved twice, with a quote that is never closed', async () => {
    const rows = sized({ short: 20_000, long: 200_000 });
    const found = await read(`"Title,Author"\n"""Emma,A"\n${'"Persuasion,B"\n'.repeat(rows)}`);
    assert.equal(found.length, rows + 1);
    assert.deepEqual([found[0], found.at(-1)], ['its quotes do not match', 'Persuasion']);
  });

  test('CSV with a byte that is not text in each row', async () => {
    const rows = sized({ short: 5_000, long: 50_000 });
    const file = Buffer.from(`title,x\né,\n${'é,~\n'.repeat(rows)}~,\n`.replaceAll('é', '\u00c3\u00a9').replaceAll('~', '\u00e9'), 'latin1');
    const found = await read(file);
    assert.equal(found.length, rows + 2);
    assert.match(found.at(-1) ?? '', new RegExp(`^its title has a byte .+ \\(0xe9\\): line ${rows + 3}, column 1$`));
  }); // prettier-ignore
});

test('a file that begins with more than 16 MiB of white space is an error, even where it may be empty', async () => {
  async function* source() {
    for (let i = 0; i < 17 * 16; i++) yield await Promise.resolve(Buffer.alloc(65_536, '\n'));
    yield Buffer.from('{"title":"A"}\n');
  }
  const rows = readBooks(source(), { chosen: {}, format: 'ndjson', mayBeEmpty: true, onStart: () => undefined });
  await assert.rejects(rows.next(), { name: 'FileError', message: /more than 16 MiB of white space/ });
}); // prettier-ignore

describe('a byte that is not text rejects a record as it rejects a row', () => {
  const bytes = (text: string) => Buffer.from(text.replaceAll('é', '\u00c3\u00a9').replaceAll('~', '\u00e9'), 'latin1');
  const reason = 'its title has a byte that is not text in the encoding of the file (0xe9)';
  const xml = (title: string) =>
    `<record><datafield tag="245" ind1="0" ind2="0"><subfield code="a">${title}</subfield></datafield></record>`;
  const table: { format: FormatName; file: string }[] = [
    { format: 'ris', file: 'TY  - BOOK\nTI  - é\nER  - \nTY  - BOOK\nTI  - A~\nER  - \n' },
    { format: 'marcxml', file: `<collection>${xml('é')}${xml('A~')}</collection>` },
    { format: 'bibtex', file: '@book{a, title={é}}\n@book{b, title={A~}}\n' },
    { format: 'csl-json', file: '[{"type":"book","title":"é"},{"type":"book","title":"A~"}]' },
  ];
  for (const { format, file } of table)
    test(format, async () => {
      assert.deepEqual(await read(bytes(file), format), ['é', reason]);
    });
}); // prettier-ignore

describe('a file that is refused by its first bytes is closed', () => {
  const table: [what: string, file: string, encoding?: string][] = [
    ['an .xls', '\u00d0\u00cf\u0011\u00e0'],
    ['a PDF', '%PDF-1.7\n'],
    ['a PDF, compressed', gzipSync('%PDF-1.7\n').toString('latin1')],
    ['a file with zero bytes', 'a\0b'],
    ['a file in an encoding that does not exist', 'title\nA\n', 'none'],
  ];
  for (const [what, file, encoding] of table)
    test(what, async () => {
      let isOpen = true;
      async function* source() {
        try {
          for (;;) yield await Promise.resolve(Buffer.from(file, 'latin1'));
        } finally {
          isOpen = false;
        }
      }
      const rows = readBooks(source(), { chosen: {}, encoding, onStart: () => undefined });
      await assert.rejects(rows.next(), { name: 'FileError' });
      assert.ok(!isOpen);
    });
});

test('an abort does not wait until somebody writes to a named pipe', { skip: process.platform === 'win32' }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'shelflist-'));
  execFileSync('mkfifo', [join(directory, 'pipe')]);
  const abort = new AbortController();
  const opened = openSource({ directory } as Io, 'pipe', abort.signal);
  setImmediate(() => {
    abort.abort();
  });
  await assert.rejects(opened, { name: 'AbortError' });
  rmSync(directory, { recursive: true });
}); // prettier-ignore

describe('a table with more columns than a sheet can have is refused at its first row', () => {
  const names = Array.from({ length: 16_385 }, (_, i) => `c${i}`);
  const refusal = /^the first row has more than 16384 columns/;
  test('in CSV', async () => {
    const [said, ...others] = await read(`${names.join(',')}\n`);
    assert.match(said ?? '', refusal);
    assert.deepEqual(others, []);
  });
  test('in JSON', async () => {
    const [said] = await read(JSON.stringify([Object.fromEntries(names.map((name) => [name, '']))]));
    assert.match(said ?? '', refusal);
  });
});
