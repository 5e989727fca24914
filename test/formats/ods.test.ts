import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describe as describeProblem } from '../../src/formats/problems.ts';
import { readBooks } from '../../src/import/read-books.ts';
import type { ReadOptions } from '../../src/import/row.ts';
import { cellOf, openDocument, rowOf, spreadsheet } from '../support/open-document.ts';

/** Reads a file: `row: title|author|year`, with its notes, or its problem. */
async function read(file: Uint8Array, options: Partial<ReadOptions> = {}): Promise<string[]> {
  async function* source() {
    yield await Promise.resolve(file);
  }
  const rows: string[] = [];
  for await (const row of readBooks(source(), { onStart: () => undefined, ...options })) {
    const texts: string[] =
      'fields' in row
        ? [Object.values<string | number>(row.fields).join('|')]
        : [describeProblem(row.problem)];
    if ('fields' in row) texts.push(...(row.notes ?? []).map((note) => describeProblem(note)));
    rows.push(`${row.line}: ${texts.join('; ')}`);
  }
  return rows;
}

const header = rowOf('Title', 'Author', 'Year');
const readRows = (...rows: readonly string[]) => read(spreadsheet({ Books: header + rows.join('') }));
/** A cell of a type with a value. */
const typed = (type: string, value: string, text: string) =>
  `<table:table-cell office:value-type="${type}" ${value}><text:p>${text}</text:p></table:table-cell>`;
const year = typed('float', 'office:value="1815"', '1,815.00');
const empty = '<table:table-cell/>';

describe('a cell of an OpenDocument spreadsheet', () => {
  const table: [what: string, cells: readonly string[], book: string][] = [
    ['a year has its value, a title what it shows', [typed('float', 'office:value="0.5"', '50%'), 'A', year], '50%|A|1815'],
    ['a date is a year, or a text', [typed('date', 'office:date-value="2010-03-05"', 'Mar-5'), 'A', typed('date', 'office:date-value="1998-07-01T00:00:00"', '01.07.98')], 'Mar-5|A|1998'],
    ['a time is a text', [typed('time', 'office:time-value="PT12H34M00S"', '12:34'), 'A', year], '12:34|A|1815'],
    ['a number without a text is its value', ['<table:table-cell office:value-type="float" office:value="1984"/>', 'A', year], '1984|A|1815'],
    ['an attribute has the text', ['<table:table-cell office:value-type="string" office:string-value="Emma"/>'], 'Emma||0'],
    ['parts and links are text, and blanks are counted', [cellOf('A<text:span>B</text:span><text:s text:c="2"/><text:a>C</text:a>\n D'), 'E'], 'AB  C D|E|0'],
    ['several paragraphs are lines', [cellOf('Emma</text:p><text:p>A Novel'), 'A', year], 'Emma\nA Novel|A|1815'],
    ['comments, drawings and pronunciations do not count', [`<table:table-cell office:value-type="string"><office:annotation><dc:creator>X</dc:creator><text:p>note</text:p></office:annotation><draw:frame><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame><text:p>E<text:ruby><text:ruby-base>mm</text:ruby-base><text:ruby-text>x</text:ruby-text></text:ruby>a</text:p></table:table-cell>`], 'Emma||0'],
    ['cells are repeated', [empty.replace('/>', ' table:number-columns-repeated="2"/>'), year, 'x'], 'it has no title'],
    ['equal cells stand once', [cellOf('Emma', 'table:number-columns-repeated="2"'), year], 'Emma|Emma|1815'],
    ['cells beside the table do not count', ['Emma', 'A', year, cellOf('x', 'table:number-columns-repeated="16381"')], 'Emma|A|1815'],
    ['an error is not a title', [`<table:table-cell office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>#REF!</text:p></table:table-cell>`, 'A'], 'its title is not understood: "#REF!"'],
  ]; // prettier-ignore
  for (const [what, cells, book] of table)
    test(what, async () => {
      assert.deepEqual(await readRows(rowOf(...cells)), [`2: ${book}`]);
    });
});

test('rows of an OpenDocument spreadsheet are repeated, grouped, numbered as they are shown, and merged', async () => {
  const repeated = (row: string, count: number) =>
    row.replace('>', ` table:number-rows-repeated="${count}">`);
  const rows = await readRows(
    repeated(rowOf(empty), 3),
    repeated(rowOf('Emma', 'Jane Austen'), 2),
    `<table:table-row-group>${rowOf('A', cellOf('Eliot', 'table:number-rows-spanned="2"'))}</table:table-row-group>`,
    rowOf('B', '<table:covered-table-cell/>'),
    rowOf('C'),
    repeated(rowOf(empty), 1_048_568),
  );
  const note = 'its author is that of a merged cell';
  assert.deepEqual(rows, [
    ...['5: Emma|Jane Austen|0', '6: Emma|Jane Austen|0', '7: A|Eliot|0', `8: B|Eliot|0; ${note}`, '9: C||0'],
  ]);
});

test('of several sheets in an OpenDocument spreadsheet one is chosen; hidden and empty ones do not count', async () => {
  const sheets = {
    '-Hidden': header + rowOf('X'),
    Empty: rowOf(empty),
    A: header + rowOf('Emma'),
    B: rowOf('Our books') + header + rowOf('Walden', 'Thoreau'),
  };
  await assert.rejects(read(spreadsheet(sheets)), /several sheets: "A", "B"/);
  assert.deepEqual(await read(spreadsheet(sheets), { sheet: 'B' }), ['3: Walden|Thoreau|0']);
});

describe('a document of OpenDocument without books', () => {
  const manifest = '<manifest:manifest><manifest:encryption-data/></manifest:manifest>';
  const type = (kind: string) => ({
    entries: { mimetype: `application/vnd.oasis.opendocument.${kind}` },
  });
  const many = (count: number, text: string) =>
    spreadsheet({
      Books: header + rowOf(text).replace('>', ` table:number-rows-repeated="${count}">`),
    });
  const table: [what: string, file: Uint8Array, message: RegExp][] = [
    ['a text', openDocument('<office:text/>', type('text')), /this is a document of LibreOffice that is no spreadsheet, such as \.odt, not a table.*\.xlsx/],
    ['a database', openDocument('<office:database/>', type('base')), /this is a database/],
    ['one with a password', openDocument('', { entries: { 'META-INF/manifest.xml': manifest } }), /with a password; open it, and save it/],
    ['one without sheets', openDocument('<office:text/>'), /the workbook is damaged \(content\.xml\)/],
    ['one that is cut off', openDocument('', { entries: { 'content.xml': '<a>' } }), /the workbook is damaged \(content\.xml\)/],
    ['an empty one', spreadsheet({ Books: rowOf(empty) }), /the file is empty/],
    ['one of more rows than a sheet has', many(1_048_576, 'x'), /the workbook is damaged/],
    ['one whose rows become gigabytes', many(100_000, 'x'.repeat(20_000)), /the workbook is larger than/],
    ['one whose row becomes too long', spreadsheet({ Books: header + rowOf(cellOf('x'.repeat(100_000), 'table:number-columns-repeated="16384"')) }), /has a row larger than 16 MiB/],
  ]; // prettier-ignore
  for (const [what, file, message] of table)
    test(`${what} is refused`, async () => {
      await assert.rejects(async () => {
        await read(file);
      }, message);
    });
});
