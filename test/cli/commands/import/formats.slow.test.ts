import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { marc8Record, marcExamples, marcRecord } from '../../../support/marc-file.ts';
import { startSession } from '../../../support/session.ts';

const session = await startSession({ after });
const { folder } = session;
const put = (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content);
const ndjson = async () =>
  (await session.run(['list', '--format', 'ndjson'])).stdout.replace(/"id":\d+,/g, '');
const empty = async () => {
  const ids = (await session.run(['list'])).stdout.match(/^\d+/gm) ?? [];
  if (ids.length > 0) await session.run(['delete', '--yes', ...ids]);
};

describe('the books of a file of MARC21', () => {
  const records = marcExamples.map(({ fields }) => marcRecord(fields));
  const inMarc8 = ['245 10$aLes mis\xe2erables', '245 10$a\x1b$$1!0A!0B\x1b(B'].map((title) =>
    marc8Record([title]),
  );
  const file = Buffer.concat([...records, ...inMarc8]);

  test('are added; a record that cannot be read is listed with its number and written to the rejects', async () => {
    await empty();
    await put('books.mrc.gz', gzipSync(file));
    const { code, stderr } = await session.run(['import', 'books.mrc.gz', '--rejects', 'left.ndjson']);
    assert.match(stderr, /^importing title from "245", author from "1xx and 7xx", year from "008 or 264"\n/);
    const number = records.length + 2;
    assert.match(stderr, /\nreading the file as marc-8\n/);
    assert.match(
      stderr,
      new RegExp(`\nrecord ${number} left out: its title is in Chinese, Japanese or Korean`),
    );
    assert.match(stderr, new RegExp(`\nadded ${records.length + 1} books in .+, left out 1\n`));
    assert.equal(code, 1);
    const [reject = ''] = (await readFile(join(folder, 'left.ndjson'), 'utf8')).split('\n');
    assert.equal((JSON.parse(reject) as { line: number }).line, number);
    const miserables = { title: 'Les misérables', author: '', year: 0 };
    const books = [...marcExamples, miserables].map(
      ({ title, author, year }) => `${JSON.stringify({ title, author, year })}\n`,
    );
    assert.equal(await ndjson(), books.join(''));
  });

  test('are completed with skip after a file that was cut off', async () => {
    await empty();
    const whole = Buffer.concat(records);
    await put('cut.mrc', whole.subarray(0, whole.length - 100));
    const cut = await session.run(['import', 'cut.mrc']);
    assert.equal(cut.code, 1);
    assert.match(cut.stderr, new RegExp(`the file is cut off: record ${records.length} ends in the middle`));
    await put('whole.mrc', whole);
    const { stderr, code } = await session.run(['import', 'whole.mrc', '--on-duplicate', 'skip']);
    assert.match(
      stderr,
      new RegExp(`added 1 book in .+, skipped ${records.length - 1} duplicates, left out 0`),
    );
    assert.equal(code, 0);
  });
});

describe('an export is imported again', () => {
  const odd = [
    {
      title: 'The pragmatic programmer: from journeyman to master',
      author: 'Andrew Hunt, David Thomas',
      year: 1999,
    },
    { title: 'Ilias', author: 'Homer', year: -750 },
    { title: 'a\nb', author: 'Austen, Jane', year: 0 },
    { title: '', author: '"q"\t', year: 2 },
  ];
  const usual = odd.slice(0, 2);
  const table: [file: string, options: string[], books: typeof odd][] = [
    ['x.csv.gz', [], odd],
    ['x.xlsx', [], odd],
    ['x.xlsx.gz', ['--with-ids'], odd],
    ['x.tsv', [], odd],
    ['x.json', ['--format', 'csl-json'], odd],
    ['x.json.gz', [], odd],
    ['x.jsonl', ['--with-ids'], odd],
    ['x.ris', [], odd],
    ['x.ris.gz', ['--with-ids'], odd],
    ['x.bib', [], usual],
    ['x.xml.gz', [], usual],
  ];
  for (const [file, options, books] of table)
    test(`${file} ${options.join(' ')}`, async () => {
      const lines = books.map((book) => `${JSON.stringify(book)}\n`).join('');
      await empty();
      await put('first.ndjson', lines);
      await session.run(['import', 'first.ndjson']);
      const exported = await session.run(['export', file, '--force', ...options]);
      assert.equal(exported.code, 0, exported.stderr);
      const bytes = await readFile(join(folder, file));
      assert.equal(bytes[0] === 0x1f, file.endsWith('.gz'));
      assert.ok((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).length > 50);
      await empty();
      const imported = await session.run(['import', file]);
      assert.equal(imported.code, 0, imported.stderr);
      assert.equal(await ndjson(), lines);
    });

  test('of no books', async () => {
    await empty();
    for (const name of ['e.ris', 'e.bib', 'e.xml', 'e.xlsx', 'e.tsv', 'e.ndjson.gz']) {
      assert.equal((await session.run(['export', name, '--force'])).code, 0);
      const { code, stderr } = await session.run(['import', name]);
      assert.equal(code, 0, `${name}: ${stderr}`);
    }
  });
});

test('a format without columns takes no option of columns', async () => {
  await put('x.ris', 'TY  - BOOK');
  const { code, stderr } = await session.run(['import', 'x.ris', '--map', 'title=T2']);
  assert.equal(code, 2);
  assert.equal(stderr, 'shelflist: --map does not apply to RIS, which has no columns\n');
});

test('--format names the format of standard input', async () => {
  await empty();
  const input = 'TY  - BOOK\nTI  - Emma\nAU  - Austen, Jane\nER  - \n';
  const { code } = await session.run(['import', '-', '--format', 'ris'], { input });
  assert.equal(code, 0);
  assert.equal(await ndjson(), '{"title":"Emma","author":"Jane Austen","year":0}\n');
  const { stdout } = await session.run(['export', '-', '--format', 'ris']);
  assert.equal(stdout, 'TY  - BOOK\r\nTI  - Emma\r\nAU  - Austen, Jane\r\nER  - \r\n\r\n');
});
