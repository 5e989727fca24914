import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { exportFormats } from '../src/formats/file-formats.ts';
import {
  BookFileError,
  readBooks,
  writeBooks,
  type FileContent,
  type ReadBooksOptions,
} from '../src/formats.ts';
import { root, run } from './support/packed.ts';
import { temporaryFolder } from './support/temp.ts';

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };
const heidi = { title: 'Heidi; "2"', author: 'Johanna Spyri', year: 1881 };

async function read(content: FileContent, options?: ReadBooksOptions) {
  const rows = [];
  for await (const row of readBooks(content, options)) rows.push(row);
  return rows;
}

async function piecesOf<Piece>(pieces: AsyncIterable<Piece>): Promise<Piece[]> {
  const all = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

const booksIn = async (content: FileContent, options?: ReadBooksOptions) =>
  (await read(content, options)).map(({ book }) => book);

describe('shelflist/formats', () => {
  for (const format of exportFormats)
    test(`reads what it has written: ${format}`, async () => {
      const books = [emma, heidi].map((fields, index) => ({ id: index + 1, ...fields }));
      assert.deepEqual(await booksIn(writeBooks(books, { format }), { format }), [emma, heidi]);
    });

  test('reads text, bytes, and gzip, and tells the format by name or content', async () => {
    const csv = 'title,author,year\nEmma,Jane Austen,1815\n';
    for (const content of [csv, Buffer.from(csv), gzipSync(csv), JSON.stringify([emma])])
      assert.deepEqual(await booksIn(content), [emma]);
    assert.deepEqual(await booksIn('', { fileName: 'books.ndjson' }), []);
  });

  test('reads the columns that the caller names, by name or by place from 1', async () => {
    const table = 'Werk,Wer\nEmma,Jane Austen\n';
    const expected = [{ ...emma, year: 0 }];
    assert.deepEqual(await booksIn(table, { columns: { title: 'Werk', author: 2, year: null } }), expected);
    const rows = 'Jane Austen;Emma\n';
    const options = { hasHeader: false, delimiter: ';', columns: { title: 2, author: 1 } };
    assert.deepEqual(await booksIn(rows, options), expected);
  });

  test('tells of a row that is not a book, and reads on', async () => {
    const [first, second] = await read('title,year\n,1\nEmma,\n');
    assert.deepEqual(first, {
      line: 2,
      unit: 'line',
      problem: { code: 'missing', message: 'it has no title' },
    });
    assert.equal(second?.book?.title, 'Emma');
  });

  test('tells what to check in a row that is a book', async () => {
    const [row] = await read('title,year\nEmma,soon\n');
    const message = 'its year is not understood, and stays empty: "soon"';
    assert.deepEqual(row?.book, { title: 'Emma', author: '', year: 0 });
    assert.deepEqual(row.notes, [{ code: 'yearLeftOut', message }]);
  });

  test('tells of a file that cannot be read', async () => {
    await assert.rejects(read(''), (error) => {
      assert.ok(error instanceof BookFileError);
      assert.deepEqual([error.code, error.message], ['empty', 'the file is empty']);
      return true;
    });
  });

  test('refuses an unknown option, and a format that it does not know or only reads', async () => {
    const table: [made: () => AsyncIterable<unknown>, message: RegExp][] = [
      [
        () => readBooks('title\nEmma\n', { map: {} } as never),
        /^options\.map: unknown option; expected fileName, /,
      ],
      [() => readBooks('title\nEmma\n', { format: 'bib' } as never), /^options\.format: expected csv, /],
      [() => writeBooks([], { format: 'mods' } as never), /^options\.format: expected csv, /],
      [() => writeBooks([], {} as never), /^options\.format: expected csv, /],
    ];
    for (const [made, message] of table)
      await assert.rejects(piecesOf(made()), { name: 'TypeError', code: 'invalid_argument', message });
  });

  test('writes as the caller says', async () => {
    const pieces = await piecesOf(
      writeBooks([{ id: 7, ...emma, title: '=1' }], {
        format: 'csv',
        withIds: true,
        withByteOrderMark: true,
        delimiter: ';',
        isEscaped: true,
      }),
    );
    assert.equal(String(Buffer.concat(pieces)), "\uFEFFid;title;author;year\r\n7;'=1;Jane Austen;1815\r\n");
  });
});

test('examples/convert.js writes a workbook', async (t) => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules/shelflist'), 'junction');
  await copyFile(join(root, 'examples/convert.js'), join(folder, 'convert.mjs'));
  await writeFile(join(folder, 'books.csv'), 'title,author,year\nEmma,Jane Austen,1815\n,nobody,1\n');
  const { code, stderr } = await run(process.execPath, ['convert.mjs'], { cwd: folder });
  assert.deepEqual([code, stderr], [0, 'line 3 is left out: it has no title\n']);
  assert.deepEqual(await booksIn(await readFile(join(folder, 'books.xlsx'))), [emma]);
});
