import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import type { Row } from '../../../src/cli/import/row.ts';
import { readRows } from '../../../src/cli/import/rows.ts';

/** One chunk for each byte: nothing may depend on where the chunks end. */
async function* byteByByte(file: string | Buffer): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(file)) yield await Promise.resolve(Buffer.of(byte));
}

const options = { chosen: {}, onStart: () => undefined };

async function read(file: string | Buffer | AsyncIterable<Uint8Array>): Promise<Row[]> {
  const bytes = typeof file === 'string' || Buffer.isBuffer(file) ? byteByByte(file) : file;
  const rows: Row[] = [];
  for await (const row of readRows(bytes, options)) rows.push(row);
  return rows;
}

/** `line: title|author|year`, or `line: reason`. */
function show(row: Row): string {
  if ('reason' in row) return `${row.line}: ${row.reason}`;
  return `${row.line}: ${row.fields.title}|${row.fields.author}|${row.fields.year}`;
}

describe('a file is read as RFC 4180 says', () => {
  const table: [what: string, file: string, rows: string[]][] = [
    ['plain', 'title,author,year\nA,B,1\nC,D,2\n', ['2: A|B|1', '3: C|D|2']],
    ['no line break at the end', 'title,author,year\nA,B,1', ['2: A|B|1']],
    ['CRLF', 'title,author,year\r\nA,B,1\r\nC,D,2\r\n', ['2: A|B|1', '3: C|D|2']],
    ['a byte order mark', '\uFEFFtitle\nA', ['2: A||0']],
    ['characters of several bytes', 'title,author\nGrandpré,書😀', ['2: Grandpré|書😀|0']],
    ['commas and quotes inside quotes', 'title,author\n"A, B","C ""D"""', ['2: A, B|C "D"|0']],
    ['a line break inside quotes', 'title\n"A\nB"\nC', ['2: A\nB||0', '4: C||0']],
    ['a CRLF inside quotes', 'title\r\n"A\r\nB"\r\nC\r\n', ['2: A\r\nB||0', '4: C||0']],
    ['a header of two lines', '"title\n(full)",title\nA,B', ['3: B||0']],
    ['empty lines', '\ntitle\n\n\nA\n\n"B\n\nC"\n\nD\n', ['5: A||0', '7: B\n\nC||0', '11: D||0']],
    ['space around a cell, which stays, but for a year', 'title,author,year\n A , B , 7 ', ['2:  A | B |7']],
    ['too few cells', 'title,author,year\nA\n', ['2: A||0']],
    ['too many cells', 'title\nA,B', ['2: A||0']],
    ['no title', 'title,author\n,B\n" ",B', ['2: it has no title', '3: it has no title']],
    ['a header alone', 'title\n', []],
  ];
  for (const [what, file, rows] of table) {
    test(what, async () => {
      assert.deepEqual((await read(file)).map(show), rows);
    });
  }
});

describe('a year is a whole number as spreadsheets write it', () => {
  const bad = (text: string) => `2: its year is not a whole number: ${JSON.stringify(text)}`;
  const table: [cell: string, row: string][] = [
    ['2008', '2: A||2008'],
    ['2008.0', '2: A||2008'],
    ['2008.', '2: A||2008'],
    ['-1750.0', '2: A||-1750'],
    ['+5', '2: A||5'],
    ['-0', '2: A||0'],
    ['', '2: A||0'],
    ['9007199254740991', '2: A||9007199254740991'],
    ...['9007199254740992', '2008.5', '1e3', '0x7d8', 'c. 1850', '１９００', 'NaN'].map(
      (text): [string, string] => [text, bad(text)],
    ),
  ];
  for (const [cell, row] of table) {
    test(JSON.stringify(cell), async () => {
      assert.deepEqual((await read(`title,year\nA,${cell}`)).map(show), [row]);
    });
  }
});

describe('a row whose quotes do not match is left out, with all that it takes along', () => {
  const no = 'its quotes do not match';
  const table: [what: string, file: string, rows: string[]][] = [
    ['a quote inside a cell', 'title\nA "B" C\nD\n', [`2: ${no}`, '3: D||0']],
    [
      'text after the quotes, another quote follows',
      'title\n"A" B\nC\n"D"\nE\n',
      [`2: ${no} (up to line 4)`, '5: E||0'],
    ],
    ['never closed', 'title\nA\n"B\nC\nD\n', ['2: A||0', `3: ${no} (up to line 5)`]],
    ['never closed, on the last line', 'title\nA\n"B', ['2: A||0', `3: ${no}`]],
    ['two in a row', 'title\nA"\nB"\nC', [`2: ${no}`, `3: ${no}`, '4: C||0']],
    [
      'after a row of several lines',
      'title\r\n"A\r\nA"\r\n\r\nB"\r\nC',
      ['2: A\r\nA||0', `5: ${no}`, '6: C||0'],
    ],
    ['reported in its place', 'title\nA\nB"\n,\n', ['2: A||0', `3: ${no}`, '4: it has no title']],
  ];
  for (const [what, file, rows] of table) {
    test(what, async () => {
      assert.deepEqual((await read(file)).map(show), rows);
    });
  }
});

describe('a file that is none', () => {
  const mixture = 'the file is neither UTF-8 nor Windows-1252, but a mixture; save it as "CSV UTF-8"';
  const table: [what: string, file: string | Buffer, error: { code: string; message?: string }][] = [
    ['empty', '', { code: 'failed', message: 'the file is empty' }],
    ['nothing but empty lines', '\n\n', { code: 'failed', message: 'the file is empty' }],
    [
      'UTF-8 and Windows-1252 at once',
      Buffer.concat([Buffer.from('title\né'), Buffer.of(0xe9, 0x0a)]),
      { code: 'failed', message: mixture },
    ],
    [
      'cut off in a character',
      Buffer.from('title\né\né').subarray(0, -1),
      { code: 'failed', message: 'the file is cut off: its last character is not whole' },
    ],
    [
      'a header that is never closed',
      '"title\nA',
      { code: 'failed', message: 'the quotes of the first line do not match' },
    ],
    ['no title', 'a,b\nA,B', { code: 'usage' }],
  ];
  for (const [what, file, error] of table) {
    test(what, async () => {
      await assert.rejects(read(file), error);
    });
  }
});

test('a source that fails, fails the reading', async () => {
  async function* source() {
    yield await Promise.resolve(Buffer.from('title\nA\n'));
    throw new Error('the disk');
  }
  await assert.rejects(read(source()), { message: 'the disk' });
});

test('who stops reading early ends the source too', async () => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  async function* source() {
    try {
      yield await Promise.resolve(Buffer.from('title\nA\nB\n'));
      yield await Promise.resolve(Buffer.from('C\n'.repeat(100_000)));
    } finally {
      end();
    }
  }
  for await (const row of readRows(source(), options)) if (row.line === 2) break;
  await ended;
});
