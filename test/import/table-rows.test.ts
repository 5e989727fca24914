import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { describe as describeProblem } from '../../src/formats/problems.ts';
import { readBooks } from '../../src/import/read-books.ts';
import type { ReadOptions } from '../../src/import/row.ts';

async function read(file: string, options: Partial<ReadOptions> = {}) {
  async function* byteByByte() {
    for (const byte of Buffer.from(file)) yield await Promise.resolve(Buffer.of(byte));
  }
  const rows: string[] = [];
  for await (const row of readBooks(byteByByte(), { onStart: () => undefined, ...options }))
    rows.push(
      `${row.line}: ${'problem' in row ? describeProblem(row.problem) : Object.values(row.fields).join('|')}`,
    );
  return rows;
}

describe('the header may stand below a title', () => {
  const table: [what: string, file: string, rows: string[]][] = [
    ['and an empty row', 'Our books,,\n,,\nTitle,Author,Year\nA,B,1\n', ['4: A|B|1']],
    ['without delimiters', 'Unsere Bücher, Stand 2020\nTitel;Autor;Jahr\nA, B;C;1\n', ['3: A, B|C|1']],
    ['and other cells', 'Date;1.5.2020\nBy;Ann\nTitel;Autor\nA;B\n', ['4: A|B|0']],
    ['of one column', 'Our books\n\nTitle\nA\n', ['4: A||0']],
    ['but a book is none', 'title,author\nTitle,Author\n', ['2: Title|Author|0']],
    [
      'but not below twenty rows',
      `a,b\n${'x,y\n'.repeat(20)}Title,Author\nA,B\n`,
      [
        ...Array.from({ length: 20 }, (_, i) => `${i + 2}: it has no title`),
        '22: it has no title',
        '23: it has no title',
      ],
    ],
  ];
  for (const [what, file, rows] of table)
    test(what, async () => {
      assert.deepEqual(await read(file), rows);
    });

  test('the chosen columns, too', async () => {
    assert.deepEqual(
      await read('Our books,\nWerk,Wer\nA,B\n', { chosen: { title: 'Werk', author: 'Wer' } }),
      ['3: A|B|0'],
    );
  });
});

test('a volume is added to a title that ends with its number only as a part of another', async () => {
  assert.deepEqual(await read('Title,Volume\nArea 51,1\nIntegrals 2,2\n'), [
    '2: Area 51. 1||0',
    '3: Integrals 2||0',
  ]);
});

describe('a total at the end is no book', () => {
  const head = 'Titel,Autor,Jahr,Preis\nA,B,1,5\n';
  for (const total of ['Summe', 'Total: 2 books', 'Anzahl Bücher: 250', '250 titles', 'TOTAL'])
    test(total, async () => {
      assert.deepEqual(await read(`${head},,,\n${total},,,9\n`), [
        '2: A|B|1',
        '4: it is a total, not a book',
      ]);
    });

  test('a number that is an ISBN makes none: Somme is a book', async () => {
    const rows = 'Title,ISBN\nVerdun,9780141439587\nSomme,9780140178678\n';
    assert.deepEqual(await read(rows), ['2: Verdun||0', '3: Somme||0']);
  });

  test('it may have the number of the books, or the sum of their cells, in the columns of a book', async () => {
    const rows = 'Title,Author,Year\nA,B,1990\nC,D,2001\n';
    const books = ['2: A|B|1990', '3: C|D|2001'];
    for (const total of ['Total,,2', 'Total,2,', 'Total,2,3991', 'Total,,3991'])
      assert.deepEqual(await read(`${rows}${total}\n`), [...books, '4: it is a total, not a book'], total);
    for (const [row, book] of [
      ['Total,,1992', 'Total||1992'],
      ['Total,,3', 'Total||3'],
      ['Total,U2,', 'Total|U2|0'],
    ] as const)
      assert.deepEqual(await read(`${rows}${row}\n`), [...books, `4: ${book}`]);
  });

  test('without a number, or with the 0 that an export writes, it is a book', async () => {
    assert.deepEqual(await read(`${head}Total,,,\n`), ['2: A|B|1', '3: Total||0']);
    assert.deepEqual(await read('Title\nA\nSumma\nTotal\n'), ['2: A||0', '3: Summa||0', '4: Total||0']);
    for (const title of ['Total', '100 books'])
      assert.deepEqual(await read(`title,author,year\nA,B,1\n${title},"",0\n`), [
        '2: A|B|1',
        `3: ${title}||0`,
      ]);
  });

  test('a book with such a title has an author, a year or a row below it, or somebody says so', async () => {
    assert.deepEqual(await read(`${head}Total,C,,\n`), ['2: A|B|1', '3: Total|C|0']);
    assert.deepEqual(await read(`${head}Total,,,\nC,D,2,\n`), ['2: A|B|1', '3: Total||0', '4: C|D|2']);
    assert.deepEqual(await read(`${head}Total Recall,,,\n`), ['2: A|B|1', '3: Total Recall||0']);
    assert.deepEqual(await read(`${head}Total,,,9\n`, { keepsTotal: true }), ['2: A|B|1', '3: Total||0']);
  });
});

test('the years of an export are exact', async () => {
  assert.deepEqual(await read('title,author,year\nA,B,36161\nC,D,19980501\n'), [
    '2: A|B|36161',
    '3: C|D|19980501',
  ]);
  assert.deepEqual(await read('Title,Author,Year\nA,B,36161\nC,D,19980501\n'), ['2: A|B|0', '3: C|D|1998']);
});

test('below a title, a stray quote costs its line', async () => {
  const rows = 'Title;Author;Year\nA;B;1\nC "D;E;2\nF;G;3\nH;I;4\n';
  const books = (line: number) => [
    `${line}: A|B|1`,
    `${line + 1}: its quotes do not match`,
    `${line + 2}: F|G|3`,
    `${line + 3}: H|I|4`,
  ];
  assert.deepEqual(await read(`Our books\n${rows}`), books(3));
  assert.deepEqual(await read(`Our "books\n${rows}`), books(3));
  assert.deepEqual(await read(`Our books;2020\n\n${rows}`), books(4));
});

describe('a stray quote above the header costs its line', () => {
  const rows = ['3: Sea, Sun, Sand, Sky|Hall, Ida|1901', '4: A, b, c|D, E|1950'];
  const semicolons = 'Titel;Autor;Jahr\n"Sea, Sun, Sand, Sky";Hall, Ida;1901\nA, b, c;D, E;1950\n';
  const nested = '"Title,Author,Year"\n"""Sea, Sun, Sand, Sky"",""Hall, Ida"",1901"\n"""A, b, c"",""D, E"",1950"\n';
  for (const title of ['Shelf 7"', '"Shelf', 'Shelf, "new', '"Old" and "new'])
    for (const [what, table] of [
      ['semicolons', semicolons],
      ['quoted names', semicolons.replace('Titel;Autor;Jahr', '"Titel";"Autor";"Jahr"')],
      ['a sheet that was saved twice', nested],
    ] as const)
      test(`${title}, above ${what}`, async () => {
        assert.deepEqual(await read(`${title}\n${table}`), rows);
      });

  test('but a line of a name of several lines is no header', async () => {
    assert.deepEqual(await read('"Kept\nName\nhere";Title;Author\nA;B, C;D, E\n'), ['4: B, C|D, E|0']);
  });
}); // prettier-ignore

describe('a sheet that was saved twice has its lines in cells', () => {
  const table: [what: string, file: string, rows: string[]][] = [
    ['of commas', '"Title,Author,Year"\n"A,B,1"\n"""C, c"",D,2"\n', ['2: A|B|1', '3: C, c|D|2']],
    ['of semicolons', '"Title;Author"\r\n"A;B"\r\n\r\n"""C;c"";D"\r\n', ['2: A|B|0', '4: C;c|D|0']],
    ['with other columns beside them', '"Title,Author",,\n"A,B",,\n', ['2: A|B|0']],
    ['but for some', '"Title,Author"\nA\nC,D\n"E ""F"",G"\n', ['2: A||0', '3: C|D|0', '4: E "F"|G|0']],
    ['below a title', 'Our books\n"Title,Author"\n"A,B"\n', ['3: A|B|0']],
    ['of several lines', '"Title,Author"\n"""A\na"",B"\n"C,D"\n', ['2: A\na|B|0', '4: C|D|0']],
    ['saved once more', '"""Title,Author"""\n"""A,B"""\n', ['2: A|B|0']],
  ];
  for (const [what, file, rows] of table)
    test(what, async () => {
      assert.deepEqual(await read(file), rows);
    });

  test('but a column has the name that somebody chose', async () => {
    const chosen = { title: 'Title, subtitle' };
    assert.deepEqual(await read('"Title, subtitle"\n"A, B"\n', { chosen }), ['2: A, B||0']);
  });
  for (const line of ['\u00a0"Title,Author"', '"Title,Author"\u00a0'])
    test(`but not where text stands beside the quotes: ${JSON.stringify(line)}`, async () => {
      const said = { name: 'FileError', message: 'the quotes of the first line do not match' };
      await assert.rejects(read(`${line}\nA,B\n`), said);
    });
  for (const line of ['\t"Title,Author"', '"Title,Author";|'])
    test(`but not where it is not the only cell: ${JSON.stringify(line)}`, async () => {
      assert.deepEqual(await read(`${line}\nA,B\n`), ['2: it has no title']);
    });

  const byNumber = { title: 0, author: 1, year: 2 };
  test('also where columns are chosen by number', async () => {
    const file = '"Foo,Bar,Baz"\n"Persuasion,""Austen, Jane"",1817"\n';
    assert.deepEqual(await read(file, { chosen: byNumber }), ['2: Persuasion|Austen, Jane|1817']);
  });

  test('also without a header', async () => {
    const file = '"""Sense, Sensibility"",Jane Austen,1811"\n"Persuasion,Jane Austen,1817"\n';
    const rows = ['1: Sense, Sensibility|Jane Austen|1811', '2: Persuasion|Jane Austen|1817'];
    assert.deepEqual(await read(file, { isHeadless: true }), rows);
    assert.deepEqual(await read(file, { isHeadless: true, chosen: byNumber }), rows);
    assert.deepEqual(await read('"Jane Austen,Persuasion"\n', { isHeadless: true, chosen: { title: '2', author: '1', year: null } }), ['1: Persuasion|Jane Austen|0']);
    assert.deepEqual(await read(file.trimEnd(), { isHeadless: true }), rows);
  }); // prettier-ignore

  test('but a column of titles has commas', async () => {
    const titles = '"Sea, Sun, Sand"\n"10,000 Miles"\n"A,B,C"\n';
    const rows = (line: number) => ['Sea, Sun, Sand', '10,000 Miles', 'A,B,C'].map((title, i) => `${line + i}: ${title}||0`);
    assert.deepEqual(await read(`Title\n${titles}`), rows(2));
    assert.deepEqual(await read(`"Title"\n${titles}`), rows(2));
    assert.deepEqual(await read(`"Title"\n${titles}`, { chosen: { title: 0 } }), rows(2));
    assert.deepEqual(await read(titles, { isHeadless: true }), rows(1));
  }); // prettier-ignore
});
