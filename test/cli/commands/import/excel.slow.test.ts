import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startSession } from '../../../support/session.ts';
import { noTerminal, terminal } from '../../../support/terminal.ts';
import { bomb, cellsOf, editSheet, workbook } from '../../../support/workbook.ts';

const session = await startSession({ after });
const put = (name: string, content: string | Uint8Array) => writeFile(join(session.folder, name), content);
const list = async () => (await session.run(['list'])).stdout.replace(/^\d+\t/gm, '');
const empty = async () => {
  const ids = (await session.run(['list'])).stdout.match(/^\d+/gm) ?? [];
  if (ids.length > 0) await session.run(['delete', '--yes', ...ids]);
};

test('numbers are titles, dates are years, formulas are values; what has no value is left out by its row', async () => {
  await empty();
  const cell = (place: string, value: string, style = 0) =>
    `<c r="${place}" s="${style}"><v>${value}</v></c>`;
  const rows = [
    `<row r="2">${cellsOf('Title', 'Note', 'Year').slice(5, -6)}</row>`,
    `<row r="3">${cell('A3', '1984')}${cell('C3', '36526', 1)}${cell('F3', '7')}</row>`,
    '<row r="5"><c r="A5" t="str"><f>"Em"&amp;"ma"</f><v>Emma</v></c><c r="B5" t="e"><v>#REF!</v></c><c r="C5"><v>1815</v></c></row>',
    '<row r="8"><c r="A8" t="e"><v>#N/A</v></c></row>',
    `<row r="9">${cell('A9', '1')}<c r="C9"><f>YEAR(B9)</f></c></row>`,
  ];
  await put('books.xlsx', workbook({ sheets: { Sheet1: rows.join(''), Sheet2: '' }, formats: ['yyyy'] }));
  const { stderr, code } = await session.run(['import', 'books.xlsx', '--rejects', 'left.csv']);
  assert.match(stderr, /^importing title from "Title", no author, year from "Year"\n/);
  assert.match(stderr, /\nrow 8 left out: its title is not understood: "#N\/A"\n/);
  assert.match(stderr, /\nrow 9: its year is not understood, and stays empty: "=YEAR\(B9\)"\n/);
  assert.equal(code, 1);
  assert.equal(await list(), '1984\t\t2000\nEmma\t\t1815\n1\t\t0\n');
  assert.match(
    await readFile(join(session.folder, 'left.csv'), 'utf8'),
    /^Title,Note,Year,line,reason\n#N\/A,,,8,/,
  );
});

describe('of several sheets', () => {
  const sheets = {
    Fiction: cellsOf('title') + cellsOf('Emma'),
    Empty: '',
    'Non fiction': cellsOf('title') + cellsOf('Cosmos'),
  };

  test('one must be named', async () => {
    await empty();
    await put('sheets.xlsx', workbook({ sheets }));
    const { stderr, code } = await session.run(['import', 'sheets.xlsx']);
    assert.equal(
      stderr,
      'shelflist: the file has several sheets: "Fiction", "Non fiction"; choose one with --sheet\n',
    );
    assert.equal(code, 2);
    const other = await session.run(['import', 'sheets.xlsx', '--sheet', 'Empty']);
    assert.match(other.stderr, /the file has no sheet "Empty" with rows; it has: "Fiction", "Non fiction"/);
    assert.equal(other.code, 2);
    assert.equal((await session.run(['import', 'sheets.xlsx', '--sheet', 'Non fiction'])).code, 0);
    assert.equal(await list(), 'Cosmos\t\t0\n');
  });

  test('a user is asked for one', { skip: noTerminal }, async () => {
    await empty();
    await put('sheets.xlsx', workbook({ sheets }));
    const options = { cwd: session.folder, env: { SHELFLIST_URL: session.service.url } };
    const ask = (typed: string) =>
      terminal('shelflist import sheets.xlsx', options, [['Import which one? [1-2] ', typed]]);
    const { screen, code } = await ask('2');
    assert.match(screen, /the file has several sheets:\n {2}1 {2}Fiction\n {2}2 {2}Non fiction\n/);
    assert.equal(code, 0, screen);
    assert.equal(await list(), 'Cosmos\t\t0\n');
    assert.match((await ask('')).screen, /choose one with --sheet/);
  });

  test('no other format has any', async () => {
    await put('books.csv', 'title\nEmma\n');
    const { stderr, code } = await session.run(['import', 'books.csv', '--sheet', 'A']);
    assert.equal(stderr, 'shelflist: --sheet is for workbooks, and books.csv is not one\n');
    assert.equal(code, 2);
  });
});

test('1,000 books are exported, 10 cells are edited: the import changes 10 books and adds none; one undo takes it back', async () => {
  await empty();
  const books = Array.from({ length: 1000 }, (_, i) => `Book ${i},Author ${i % 50},${1900 + (i % 100)}\n`);
  await session.run(['import', '-'], { input: `title,author,year\n${books.join('')}` });
  const before = await list();
  assert.equal((await session.run(['export', 'edited.xlsx', '--with-ids'])).code, 0);
  const path = join(session.folder, 'edited.xlsx');
  let edits = 0;
  const edited = editSheet(await readFile(path), (xml) =>
    xml
      .replace(/>Book \d*7</g, (text) => (edits < 5 && edits++ < 5 ? text.replace('Book', 'Volume') : text))
      .replace(/<v>1950<\/v>/g, (year) => (edits < 10 && edits++ < 10 ? '<v>1951</v>' : year)),
  );
  assert.equal(edits, 10);
  await put('edited.xlsx', edited);
  const { stderr, code } = await session.run(['import', 'edited.xlsx', '--match', 'id']);
  assert.match(stderr, /\nadded 0 books in .+, updated 10, left 990 as they are, left out 0\n/);
  assert.equal(code, 0);
  assert.notEqual(await list(), before);
  assert.equal((await session.run(['undo', '--last', '--yes'])).code, 0);
  assert.equal(await list(), before);
});

test('with --match id, a formula that no program has computed erases nothing', async () => {
  await empty();
  await session.run(['import', '-'], { input: 'title,year\nEmma,1815\n' });
  const [id = ''] = /^\d+/.exec((await session.run(['list'])).stdout) ?? [];
  const row = `<row><c><v>${id}</v></c><c><f>1814+1</f><v></v></c></row>`;
  await put('edited.xlsx', workbook({ sheets: { Books: cellsOf('id', 'year') + row } }));
  const { stderr, code } = await session.run(['import', 'edited.xlsx', '--match', 'id']);
  assert.match(stderr, /\nrow 2 left out: its year is not understood: "=1814\+1"\n/);
  assert.equal(code, 1);
  assert.equal(await list(), 'Emma\t\t1815\n');
});

test('a zip bomb is refused before anything is sent', async () => {
  await empty();
  await put('bomb.xlsx', bomb('xl/worksheets/sheet1.xml', 20));
  const { stderr, code } = await session.run(['import', 'bomb.xlsx']);
  assert.match(
    stderr,
    /^shelflist: the workbook is larger than 128 MiB, or than 1 GiB unpacked, or has a row/,
  );
  assert.equal(code, 1);
  assert.equal(await list(), '');
});
