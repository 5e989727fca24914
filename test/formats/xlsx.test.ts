import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSheet } from 'read-excel-file/universal';
import writeExcelFile from 'write-excel-file/universal';
import type { Book } from '../../src/catalogue/book.ts';
import { formatBooks } from '../../src/formats/serializer.ts';
import { Workbook } from '../../src/formats/xlsx.ts';
import { ZipArchive } from '../../src/formats/zip.ts';
import { formatSheetRow } from '../../src/formats/write-xlsx.ts';
import { storedBook } from '../support/books.ts';
import { bomb, cellsOf, restate, workbook } from '../support/workbook.ts';

/** The rows of the only sheet: `number: cell|cell`, with `-` for a cell that is missing and `!` after one that failed. */
async function rowsOf(file: Uint8Array, sheet = 'Books'): Promise<string[]> {
  const rows: string[] = [];
  for await (const { number, cells, failed } of (await Workbook.open(new ZipArchive(file))).rows(sheet))
    rows.push(
      `${number}: ${cells.map((cell, at) => `${cell ?? '-'}${failed.includes(at) ? '!' : ''}`).join('|')}`,
    );
  return rows;
}

const read = (xml: string, more: Omit<Parameters<typeof workbook>[0], 'sheets'> = {}) =>
  rowsOf(workbook({ sheets: { Books: xml }, ...more }));

describe('the value of a cell', () => {
  const formats = [
    'yyyy',
    '[$-409]d\\-mmm\\-yy',
    '0.00&quot;d&quot;',
    'h:mm:ss',
    '[h]:mm',
    'mmm',
    '[Red]General',
  ];
  const table: [what: string, cell: string, value: string][] = [
    ['a number', '<c><v>1984</v></c>', '1984'],
    ['a number that Excel has calculated', '<c><v>0.30000000000000004</v></c>', '0.3'],
    ['a number with an exponent', '<c><v>1.984E3</v></c>', '1984'],
    ['a whole number of 16 digits', '<c><v>9007199254740991</v></c>', '9007199254740991'],
    ['a text', '<c t="inlineStr"><is><t xml:space="preserve"> A &amp; B </t></is></c>', ' A & B '],
    ['a text in parts', '<c t="inlineStr"><is><r><t>A</t></r><r><t>B</t></r></is></c>', 'AB'],
    ['a shared text', '<c t="s"><v>1</v></c>', 'Größe'],
    ['a shared text in parts, without its reading', '<c t="s"><v>2</v></c>', '書物'],
    ['a shared text with characters that XML cannot contain', '<c t="s"><v>0</v></c>', 'a\r\n_x000D_'],
    ['a shared text that is missing', '<c t="s"><v>9</v></c>', '9!'],
    ['a shared text without its number', '<c t="s"><v/></c><c t="s"><v>x</v></c>', '-|x!'],
    ['a formula: its value', '<c t="str"><f>A1&amp;"x"</f><v>Emma</v></c>', 'Emma'],
    ['a formula: its number', '<c><f>1900+15</f><v>1915</v></c>', '1915'],
    ['a formula that no program has computed', '<c><f>YEAR(A2)</f></c>', '=YEAR(A2)!'],
    ['a formula whose value openpyxl leaves out', '<c><f>YEAR(A2)</f><v /></c>', '=YEAR(A2)!'],
    ['a formula: its empty text', '<c t="str"><f>""</f><v></v></c><c><v>1</v></c>', '|1'],
    ['an error', '<c t="e"><v>#REF!</v></c>', '#REF!!'],
    ['what is not a number', '<c><v>q</v></c><c><v>0x71B</v></c><c><v>1E400</v></c>', 'q!|0x71B!|1E400!'],
    ['true', '<c t="b"><v>1</v></c>', 'TRUE'],
    ['a date that Excel knows by number', '<c s="8"><v>36526</v></c>', '2000-01-01'],
    ['a date shown as its year', '<c s="1"><v>37023.75</v></c>', '2001-05-12T18:00:00'],
    ['a date with a month in words', '<c s="2"><v>1</v></c>', '1900-01-01'],
    ['a date after the 29th of February 1900, which never was', '<c s="2"><v>61</v></c>', '1900-03-01'],
    ['a month alone', '<c s="6"><v>36526</v></c>', '2000-01-01'],
    [
      'dates out of range',
      '<c s="1"><v>-5</v></c><c s="1"><v>0</v></c><c s="1"><v>2958466</v></c>',
      '-5!|0!|2958466!',
    ],
    ['the last date', '<c s="1"><v>2958465</v></c>', '9999-12-31'],
    ['a number with a letter in quotes', '<c s="3"><v>5</v></c>', '5'],
    ['a time', '<c s="4"><v>0.5</v></c>', '0.5'],
    ['hours', '<c s="5"><v>1.5</v></c>', '1.5'],
    ['a number in a colour', '<c s="7"><v>5</v></c>', '5'],
    ['a date as a text (ISO 8601)', '<c t="d"><v>2001-05-12T00:00:00</v></c>', '2001-05-12'],
    ['cells by their addresses', '<c r="C1"><v>3</v></c><c r="A1"><v>1</v></c>', '1|-|3'],
    ['cells without addresses', '<c><v>1</v></c><c/><c><v>3</v></c>', '1|-|3'],
    ['a column beyond the last', '<c r="A1"><v>1</v></c><c r="ZZZ1"><v>3</v></c>', '1'],
  ];
  const shared =
    '<si><t>a_x000D_\n_x005F_x000D_</t></si><si><t>Größe</t></si>' +
    '<si><r><t>書</t></r><r><t>物</t></r><rPh sb="0" eb="1"><t>ショ</t></rPh></si>';
  for (const [what, cell, value] of table)
    test(what, async () => {
      assert.deepEqual(await read(`<row>${cell}</row>`, { shared, formats }), [`1: ${value}`]);
    });

  test('a date counts from 1904 where the workbook says so', async () => {
    const options = { formats, properties: 'date1904="1"' };
    const cells = [35_064, 0, -1].map((days) => `<c s="1"><v>${days}</v></c>`);
    assert.deepEqual(await read(`<row>${cells.join('')}</row>`, options), ['1: 2000-01-01|1904-01-01|-1!']);
  });
});

describe('the rows of a sheet', () => {
  test('have the numbers that Excel shows; those without a value are left out', async () => {
    const xml = `${cellsOf('title')}<row r="3"/><row><c s="1"/></row>${cellsOf(' ')}<row r="7"><c><v>1</v></c></row>${cellsOf(2)}`;
    assert.deepEqual(await read(xml), ['1: title', '7: 1', '8: 2']);
  });

  test('are read whatever the prefix of the elements is', async () => {
    const sheet =
      '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    assert.deepEqual(await read('', { parts: { 'xl/worksheets/sheet1.xml': sheet } }), ['1: 1']);
  });

  test('have 256 columns at most, up to their last value', async () => {
    const wide = '<row><c r="A1"><v>1</v></c><c r="C1"><v> </v></c><c r="IW1"><v>2</v></c></row>';
    assert.deepEqual(await read(wide + cellsOf(3, 4) + wide), ['1: 1', '2: 3|4', '3: 1']);
    assert.deepEqual(await read(`<row><c r="XFD1"><v>1</v></c></row>${cellsOf(2)}`), ['2: 2']);
    assert.match((await read('<row><c r="IV1"><v>1</v></c></row>'))[0] ?? '', /^1: (-\|){255}1$/);
  });

  test('an external relation does no harm, whatever its address is', async () => {
    const external = '<Relationship Id="a" Type="a/hyperlink" Target="http://[" TargetMode="External"/>';
    const main = '<Relationship Id="b" Type="b/officeDocument" Target="xl/workbook.xml"/>';
    assert.deepEqual(await read(cellsOf(1), { parts: { '_rels/.rels': `<a>${external}${main}</a>` } }), [
      '1: 1',
    ]);
  });

  test('are those of visible sheets', async () => {
    const file = workbook({ sheets: { A: cellsOf(1), '-B': cellsOf(2), Größe: cellsOf(3) } });
    assert.deepEqual((await Workbook.open(new ZipArchive(file))).sheets, ['A', 'Größe']);
    assert.deepEqual(await rowsOf(file, 'Größe'), ['1: 3']);
  });
});

test('a workbook of write-excel-file is read', async () => {
  const date = new Date(Date.UTC(2001, 4, 12));
  const data = [
    [{ value: 'title' }, { value: 'year' }],
    [{ value: 1984 }, { value: date, format: 'dd.mm.yyyy' }],
    [null, null],
    [{ value: 'A <b> & "c"' }, { value: true }],
  ];
  const blob = await writeExcelFile(data).toBlob();
  const file = new Uint8Array(await blob.arrayBuffer());
  const [sheet] = (await Workbook.open(new ZipArchive(file))).sheets;
  assert.deepEqual(await rowsOf(file, sheet), ['1: title|year', '2: 1984|2001-05-12', '4: A <b> & "c"|TRUE']);
});

async function write(books: readonly Book[], options = {}): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const all = (async function* () {
    for (const book of books) yield await Promise.resolve(book);
  })();
  for await (const { content } of formatBooks(all, { format: 'xlsx', withIds: true, ...options }))
    parts.push(Buffer.from(content));
  return Buffer.concat(parts);
}

describe('an export', () => {
  const books = [
    storedBook(1, { title: 'Emma', author: 'Jane Austen', year: 1815 }),
    storedBook(2, { title: '1984', author: '=1+1', year: -5 }),
    storedBook(7, {
      title: ' a\r\nb\t_x000D__x0041\u0001😀&<>"\uffff ',
      author: '',
      year: Number.MAX_SAFE_INTEGER,
    }),
  ];

  test('is read by read-excel-file: texts are texts, numbers are numbers', async () => {
    const file = await write(books.slice(0, 2));
    assert.deepEqual(await readSheet(new Blob([file])), [
      ['id', 'title', 'author', 'year'],
      [1, 'Emma', 'Jane Austen', 1815],
      [2, '1984', '=1+1', -5],
    ]);
  });

  test('has headings in another language, and hides the revisions', async () => {
    const headings = { title: 'Titel', author: 'Autor', year: 'Jahr' };
    const file = await write(books.slice(0, 1), { withRevisions: true, headings });
    const [head] = await rowsOf(file);
    assert.equal(head, '1: id|Titel|Autor|Jahr|revision');
    const sheet = await new ZipArchive(file).text('xl/worksheets/sheet1.xml', 10_000);
    assert.deepEqual(sheet.match(/<col [^>]*hidden[^>]*>/g), [
      '<col min="5" max="5" width="15" customWidth="1" hidden="1"/>',
    ]);
  });

  test('keeps every character', async () => {
    const file = await write(books);
    assert.deepEqual(await rowsOf(file), [
      '1: id|title|author|year',
      ...books.map((book, i) => `${i + 2}: ${Object.values(book).join('|')}`),
    ]);
  });

  test('has revisions if asked for', async () => {
    assert.match(
      (await rowsOf(await write(books, { withRevisions: true })))[1] ?? '',
      /1815\|r[0-9a-f]{12}$/,
    );
  });

  test('is refused where Excel could not open it', () => {
    assert.match(formatSheetRow(1_048_576, [1]), /^<row r="1048576">/);
    assert.throws(() => formatSheetRow(1_048_577, [1]), /at most 1048575 books; export to \.csv instead/);
    assert.throws(() => formatSheetRow(2, ['x'.repeat(32_768)]), /at most 32767 characters, row 2 has 32768/);
  });
});

describe('is refused:', () => {
  const plain = workbook({ sheets: { Books: cellsOf('title') } });
  const damaged = /the workbook is damaged \(.+\); open it in a spreadsheet program/;
  const tooLarge =
    /the workbook is larger than 128 MiB, or than 1 GiB unpacked, or has a row larger than 16 MiB; save its sheet as "CSV UTF-8"/;
  const sheet = 'xl/worksheets/sheet1.xml';
  const damageSheet = () => {
    const file = Buffer.from(plain);
    const at = file.indexOf(sheet) + sheet.length;
    return file.fill(0xff, at + 5, at + 60);
  };
  const copy = () => Buffer.from(plain);
  /** With another sheet. */
  const withSheet = (relation: string) =>
    workbook({
      sheets: { Books: cellsOf('title') },
      parts: {
        'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="Books" r:id="rId3"/><sheet name="More" r:id="${relation}"/></sheets></workbook>`,
      },
    });
  /** The entry of the second sheet names the place of the first. */
  const withSharedBytes = () => {
    const file = workbook({ sheets: { Books: cellsOf('title'), More: cellsOf('title') } });
    const [first, second] = [1, 2].map((number) => file.lastIndexOf(`xl/worksheets/sheet${number}.xml`) - 46);
    file.copy(file, second, first, (first ?? 0) + 46);
    return file;
  };
  const withTarget = (target: string) =>
    workbook({
      sheets: { Books: cellsOf('title') },
      parts: {
        '_rels/.rels': `<a><Relationship Id="a" Type="a/officeDocument" Target="${target}"/></a>`,
      },
    });
  const table: [what: string, file: () => Uint8Array, error: RegExp][] = [
    ['a file that is cut off', () => plain.subarray(0, -30), damaged],
    ['a sheet whose data is damaged', damageSheet, damaged],
    ['a sheet that is not XML', () => workbook({ sheets: { Books: '<row>' } }), damaged],
    ['elements that are nested deeply', () => workbook({ sheets: { Books: '<a>'.repeat(100) } }), damaged],
    ['a long tag', () => workbook({ sheets: { Books: `<row ${'a="" '.repeat(1e4)}>` } }), damaged],
    [
      'a document without a workbook',
      () => workbook({ sheets: {}, parts: { '_rels/.rels': '<a/>' } }),
      damaged,
    ],
    ['a sheet of more than 1 GiB', () => bomb(sheet, 2, 2 ** 30), tooLarge],
    ['a sheet of 2 MB that the archive says to have 100 bytes', () => bomb(sheet, 2, 100), damaged],
    ['a sheet that has less than the archive says', () => restate(copy(), sheet, 'bytes', 1000), damaged],
    ['a sheet that has changed since it was packed', () => restate(copy(), sheet, 'crc', 1), damaged],
    [
      'a sheet that is not UTF-8',
      () => workbook({ sheets: { Books: '' }, parts: { [sheet]: Buffer.from('<a>Caf\xe9</a>', 'latin1') } }),
      damaged,
    ],
    [
      'a sheet that ends within a character',
      () => workbook({ sheets: { Books: '' }, parts: { [sheet]: Buffer.from('<a/>\xe9', 'latin1') } }),
      damaged,
    ],
    ['two sheets with one part', () => withSheet('rId3'), damaged],
    ['two sheets whose parts are the same bytes', () => withSharedBytes(), damaged],
    ['a sheet that nothing relates to', () => withSheet('rId9'), damaged],
    [
      'a sheet that the archive lacks',
      () =>
        workbook({
          sheets: { Books: cellsOf('title') },
          parts: {
            'xl/_rels/workbook.xml.rels': '<a><Relationship Id="rId3" Type="a/worksheet" Target="b"/></a>',
          },
        }),
      damaged,
    ],
    ['a relation that cannot be decoded', () => withTarget('xl/workbook%.xml'), damaged],
    ['a relation that is no address', () => withTarget('http://['), damaged],
  ];
  for (const [what, file, error] of table)
    test(what, async () => {
      await assert.rejects(rowsOf(file()), error);
    });
});

test('reading ends when it is aborted, even if only the first row of each sheet is read', async (t) => {
  const stop = new AbortController();
  const opened = await Workbook.open(
    new ZipArchive(workbook({ sheets: { Books: cellsOf('title') } }), stop.signal),
  );
  let now = performance.now();
  t.mock.method(performance, 'now', () => (now += 1000)); // Each pause is due.
  stop.abort();
  await assert.rejects(opened.rows('Books').next(), { name: 'AbortError' });
});
