import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import type { Chosen } from '../../../src/cli/import/columns.ts';
import type { Row, RowsStart } from '../../../src/cli/import/row.ts';
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
    ['too many cells', 'title\nA,B\n', ['2: it has 2 cells for 1 column']],
    ['too many cells, but empty ones', 'title\nA,,\n', ['2: A||0']],
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
  const table: [what: string, file: string | Buffer, error: { code: string; message?: string | RegExp }][] = [
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
      { code: 'failed', message: /^the file is cut off: its last character is not whole; / },
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

/** The same as `read`, and what was said before the first row. */
async function readWith(file: string, chosen: Chosen = {}) {
  const starts: RowsStart[] = [];
  const rows: string[] = [];
  const units: string[] = [];
  const onStart = (start: RowsStart) => void starts.push(start);
  for await (const row of readRows(byteByByte(file), { chosen, onStart })) {
    rows.push(show(row));
    units.push(row.unit);
  }
  return { starts, units, rows };
}

describe('what a file is, its first character says', () => {
  const table: [what: string, file: string, unit: 'line' | 'book', rows: string[]][] = [
    ['CSV', 'title\nA\n', 'line', ['2: A||0']],
    ['CSV behind empty lines', '\n\ntitle\nA\n', 'line', ['4: A||0']],
    ['CSV with quotes', '"title"\n"A"\n', 'line', ['2: A||0']],
    ['JSON', '[{"title":"A"}]', 'book', ['1: A||0']],
    ['JSON behind spaces', ' \r\n\t[{"title":"A"}]', 'book', ['1: A||0']],
    ['JSON with a byte order mark', '\uFEFF[{"title":"A"}]', 'book', ['1: A||0']],
    ['NDJSON', '{"title":"A"}\n', 'line', ['1: A||0']],
    ['NDJSON behind empty lines', '\n \n{"title":"A"}\n', 'line', ['3: A||0']],
    ['NDJSON with a byte order mark', '\uFEFF{"title":"A"}\n', 'line', ['1: A||0']],
  ];
  for (const [what, file, unit, rows] of table) {
    test(what, async () => {
      const { starts, units, rows: found } = await readWith(file);
      assert.deepEqual(found, rows);
      const header = what.startsWith('CSV') ? ['title'] : undefined;
      assert.deepEqual([starts.map((start) => start.header), units], [[header], [unit]]);
    });
  }
});

const emma = '{"title":"Emma","author":"Jane Austen","year":1815}';

describe('a JSON array', () => {
  const table: [what: string, file: string, rows: string[]][] = [
    ['compact', `[${emma},${emma}]`, ['1: Emma|Jane Austen|1815', '2: Emma|Jane Austen|1815']],
    ['laid out', `${JSON.stringify([{ title: 'A', year: 1 }], null, '\t')}\r\n\r\n`, ['1: A||1']],
    ['empty', '[]', []],
    ['empty, laid out', ' [ \n ] \n', []],
    ['members in another order', '[{"year":1,"title":"A"},{"title":"B","year":2}]', ['1: A||1', '2: B||2']],
    [
      'members that differ',
      '[{"title":"A"},{"Book Title":"B","writer":"C"},{"Title":"D","x":1}]',
      ['1: A||0', '2: B|C|0', '3: D||0'],
    ],
    [
      'values within values, which are passed over',
      '[{"title":"A","tags":[{"title":"B"},["C"]],"more":{"year":1,"a":{"b":[]}}},{"title":"D"}]',
      ['1: A||0', '2: D||0'],
    ],
    [
      'several authors',
      '[{"title":"A","authors":["B","C, D"]},{"title":"E","authors":[]}]',
      ['1: A|B, C, D|0', '2: E||0'],
    ],
    ['null is nothing', '[{"title":"A","author":null,"year":null}]', ['1: A||0']],
    [
      'text as it is',
      String.raw`[{"title":" \"A\"\n\u0000\u2028\ud83d\ude00","author":"a"}]`,
      ['1:  "A"\n\u0000\u2028😀|a|0'],
    ],
    [
      'byte order marks in a text',
      '[{"title":"\uFEFFA\uFEFFB","author":"\\ufeff"}]',
      ['1: \uFEFFA\uFEFFB|\uFEFF|0'],
    ],
    ['an empty title is one', '[{"title":"","year":1}]', ['1: ||1']],
    [
      'a title that is none',
      '[{"title":"A"},{},{"title":null},{"title":7},{"title":["A"]}]',
      [
        '1: A||0',
        '2: it has no title',
        '3: it has no title',
        '4: its title is no text: 7',
        '5: its title is no text: a list',
      ],
    ],
    [
      'an author that is none',
      '[{"title":"A","author":7},{"title":"A","author":["B",1]},{"title":"A","author":{"a":"B"}}]',
      ['7', 'a list', 'an object'].map((author, i) => `${i + 1}: its author is no text: ${author}`),
    ],
    [
      'what is no object',
      '[{"title":"A"},1,"a",null,true,["title"],[],{"title":"B"}]',
      ['1: A||0', ...[2, 3, 4, 5, 6, 7].map((line) => `${line}: it is no object`), '8: B||0'],
    ],
    ['what is no object first', '[null,{"title":"A"}]', ['1: it is no object', '2: A||0']],
    ['nothing that is an object', '[1,[2]]', ['1: it is no object', '2: it is no object']],
    ['the last of two members with one name', '[{"title":"A","title":"B"}]', ['1: B||0']],
    [
      'members named like what every object has',
      '[{"title":"A","constructor":"x","toString":1,"hasOwnProperty":2}]',
      ['1: A||0'],
    ],
    [
      'a prototype is no book',
      '[{"title":"A"},{"__proto__":{"title":"B","author":"C"}},{"title":"D","__proto__":{"author":"E"}}]',
      ['1: A||0', '2: it has no title', '3: D||0'],
    ],
    ['a member without a name is no field', '[{"title":"A","":"B"}]', ['1: A||0']],
  ];
  for (const [what, file, rows] of table) {
    test(what, async () => {
      assert.deepEqual((await read(file)).map(show), rows);
    });
  }

  test('nothing gets into other objects', async () => {
    await read('[{"title":"A","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}]');
    await read('{"title":"A","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });
});

describe('a year in JSON', () => {
  const bad = (year: string) => `1: its year is not a whole number: ${year}`;
  const table: [year: string, row: string][] = [
    ['1815', '1: A||1815'],
    ['-1750', '1: A||-1750'],
    ['1815.0', '1: A||1815'],
    ['1e3', '1: A||1000'],
    ['-0', '1: A||0'],
    ['9007199254740991', '1: A||9007199254740991'],
    ['-9007199254740991', '1: A||-9007199254740991'],
    ['"1815"', '1: A||1815'],
    ['" 2008.0 "', '1: A||2008'],
    ['""', '1: A||0'],
    ['"1813-01"', '1: A||1813'],
    ['"1813-01-28"', '1: A||1813'],
    ['"1813-01-28T00:00:00+00:00"', '1: A||1813'],
    ['"1813-01-28 12:00:00"', '1: A||1813'],
    ['"0800-12-25T00:00:00Z"', '1: A||800'],
    ['"0101-01-01T00:00:00+00:00"', '1: A||0'],
    ['"0101-01-01"', '1: A||101'],
    ['1e21', bad('1e+21')],
    ['[1815]', bad('a list')],
    ['{"y":1815}', bad('an object')],
    [`"${'9'.repeat(100)}"`, bad(`"${'9'.repeat(80)}"…`)],
    ...[
      '1815.5',
      '9007199254740992',
      'true',
      '"1813-13-01"',
      '"1813-00"',
      '"28-01-1813"',
      '"1813-01-28x"',
      '"1813/01/28"',
    ].map((year): [string, string] => [year, bad(year)]),
  ];
  for (const [year, row] of table) {
    test(year, async () => {
      assert.deepEqual((await read(`[{"title":"A","year":${year}}]`)).map(show), [row]);
      assert.deepEqual((await read(`{"title":"A","year":${year}}`)).map(show), [row]);
    });
  }
});

describe('NDJSON', () => {
  const no = 'it is no JSON';
  const table: [what: string, file: string, rows: string[]][] = [
    ['plain', `${emma}\n{"title":"B"}\n`, ['1: Emma|Jane Austen|1815', '2: B||0']],
    ['no line break at the end', '{"title":"A"}\n{"title":"B"}', ['1: A||0', '2: B||0']],
    ['CRLF', '{"title":"A"}\r\n{"title":"B"}\r\n', ['1: A||0', '2: B||0']],
    ['empty lines', '{"title":"A"}\n\n\r\n \t\n{"title":"B"}\n\n', ['1: A||0', '5: B||0']],
    [
      'line breaks of others within text',
      '{"title":"A\u2028B\u2029C\u0085D"}\n{"title":"E"}\n',
      ['1: A\u2028B\u2029C\u0085D||0', '2: E||0'],
    ],
    [
      'a broken line is left out, and no other',
      '{"title":"A"}\n{"title":"B"\n"title"}\n{"title":"C"}\n',
      ['1: A||0', `2: ${no}`, `3: ${no}`, '4: C||0'],
    ],
    ['two objects on a line', '{"title":"A"}{"title":"B"}\n{"title":"C"}\n', [`1: ${no}`, '2: C||0']],
    ['a broken first line', '{title}\n{"title":"A"}\n', [`1: ${no}`, '2: A||0']],
    ['nothing but broken lines', '{a\n{b\n', [`1: ${no}`, `2: ${no}`]],
    [
      'what is no object',
      '{"title":"A"}\n1\n"a"\ntrue\n[{"title":"B"}]\n{"title":"C"}\n',
      ['1: A||0', ...[2, 3, 4, 5].map((line) => `${line}: it is no object`), '6: C||0'],
    ],
    ['null', '{"title":"A"}\nnull\n{"title":"B"}\n', ['1: A||0', '2: it is no object', '3: B||0']],
    [
      'members in another order, and others, on each line',
      '{"title":"A","year":1}\n{"year":2,"title":"B"}\n{"name":"C","creator":"D"}\n{"year":3}\n',
      ['1: A||1', '2: B||2', '3: C|D|0', '4: it has no title'],
    ],
    [
      'a prototype is no book',
      '{"title":"A"}\n{"__proto__":{"title":"B"}}\n{"title":"C","__proto__":{"author":"D"}}\n',
      ['1: A||0', '2: it has no title', '3: C||0'],
    ],
    ['a member without a name is no field', '{"title":"A","":"B"}\n', ['1: A||0']],
  ];
  for (const [what, file, rows] of table) {
    test(what, async () => {
      assert.deepEqual((await read(file)).map(show), rows);
    });
  }

  test('more kinds of lines than are remembered', async () => {
    const lines = Array.from({ length: 250 }, (_, i) => `{"x${i}":1,"title":"${i}","y":2}`);
    const twice = [...lines, ...lines];
    const rows = twice.map((_, i) => `${i + 1}: ${i % 250}||0`);
    assert.deepEqual((await read(`${twice.join('\n')}\n`)).map(show), rows);
  });
});

describe('members that are named', () => {
  const table: [what: string, file: string, chosen: Chosen, rows: string[]][] = [
    ['in NDJSON', '{"Titel":"A","von":"B","title":"x"}\n', { title: 'titel', author: 'von' }, ['1: A|B|0']],
    [
      'in JSON',
      '[{"Titel":"A","jahr":"1"},{"jahr":2,"Titel":"B"}]',
      { title: 'Titel', year: 'jahr' },
      ['1: A||1', '2: B||2'],
    ],
    [
      'that are not in every object',
      '{"a":"A","von":"B"}\n{"a":"C"}\n{"von":"D","title":"E"}\n',
      { title: 'a', author: 'von' },
      ['1: A|B|0', '2: C||0', '3: it has no title'],
    ],
  ];
  for (const [what, file, chosen, rows] of table) {
    test(what, async () => {
      assert.deepEqual((await readWith(file, chosen)).rows, rows);
    });
  }

  for (const file of ['{"title":"A"}\n', '[{"title":"A"}]']) {
    test(`one that is not there: ${file}`, async () => {
      const message = 'there is no column "jahr". The first object has: "title"';
      await assert.rejects(readWith(file, { year: 'jahr' }), { code: 'usage', message });
    });
  }

  for (const file of ['{"a":"A"}\n', '[{"a":"A"}]']) {
    test(`no title: ${file}`, async () => {
      const message = /^no column looks like the title; .+: "a"$/;
      await assert.rejects(readWith(file), { code: 'usage', message });
    });
  }
});

/** The rows up to where the reading fails, and the error. */
async function readUntilFailure(file: string | Buffer) {
  const rows: string[] = [];
  try {
    for await (const row of readRows(byteByByte(file), options)) rows.push(show(row));
  } catch (error) {
    return { rows, error: error as { code?: string; message: string } };
  }
  return { rows, error: undefined };
}

const cutOff = (where: string) =>
  `the file is cut off: ${where}; with the whole file, --on-duplicate skip adds the rest`;
const endsIn = (line: number) => cutOff(`line ${line} ends in the middle`);

describe('a file that is cut off or broken: what comes before is read, then it is said', () => {
  const noJson = (count: number) => `the file is no JSON after book ${count}: nothing behind it can be read`;
  const noEnd = (count: number) => cutOff(`its array does not end after book ${count}`);
  const table: [what: string, file: string, rows: string[], message: string][] = [
    ['JSON, broken in the middle', '[{"title":"A"},{"title" "B"},{"title":"C"}]', ['1: A||0'], noJson(1)],
    ['JSON, a comma too many', '[{"title":"A"},]', ['1: A||0'], noJson(1)],
    ['JSON, a comma too few', '[{"title":"A"}{"title":"B"}]', ['1: A||0'], noJson(1)],
    ['JSON, another array behind it', '[{"title":"A"}]\n[]', ['1: A||0'], noJson(1)],
    ['JSON, broken at the start', '[}', [], noJson(0)],
    ['JSON, a control character in text', '[{"title":"A\nB"}]', [], noJson(0)],
    ['JSON, cut off behind a book', '[{"title":"A"},{"title":"B"}', ['1: A||0', '2: B||0'], noEnd(2)],
    ['JSON, cut off in a book', '[{"title":"A"},{"title":"B', ['1: A||0'], noEnd(1)],
    ['JSON, cut off at once', '[', [], noEnd(0)],
    ['NDJSON, cut off in a line', '{"title":"A"}\n{"title":"B', ['1: A||0'], endsIn(2)],
    ['CSV, cut off in a row', 'title,author,year\nA,B,1\nC,D', ['2: A|B|1'], endsIn(3)],
    ['CSV, cut off in its first cell', 'title,author\nA', [], endsIn(2)],
    ['CSV with CRLF, cut off', 'title,author\r\nA,B\r\nC', ['2: A|B|0'], endsIn(3)],
  ];
  for (const [what, file, rows, message] of table) {
    test(what, async () => {
      const found = await readUntilFailure(file);
      assert.deepEqual([found.rows, found.error?.code, found.error?.message], [rows, 'failed', message]);
    });
  }

  for (const atOnce of [true, false]) {
    test(`CSV, cut off in a character, ${atOnce ? 'at once' : 'byte by byte'}: the rows before it`, async () => {
      const file = Buffer.from('title\né\nB\nC\n书').subarray(0, -1);
      const rows: string[] = [];
      async function* one() {
        yield await Promise.resolve(file);
      }
      await assert.rejects(
        async () => {
          for await (const row of readRows(atOnce ? one() : byteByByte(file), options)) rows.push(show(row));
        },
        { code: 'failed', message: /^the file is cut off: its last character is not whole; / },
      );
      assert.deepEqual(rows, ['2: é||0', '3: B||0', '4: C||0']);
    });
  }

  const whole: [what: string, file: string, rows: string[]][] = [
    ['too few cells, but a line end', 'title,author\nA\n', ['2: A||0']],
    ['too few cells in the middle', 'title,author\nA\nB,C', ['2: A||0', '3: B|C|0']],
    ['all cells, and no line end', 'title,author\nA,', ['2: A||0']],
  ];
  for (const [what, file, rows] of whole) {
    test(`CSV is not cut off: ${what}`, async () => {
      assert.deepEqual(await readUntilFailure(file), { rows, error: undefined });
    });
  }
});

describe('an export', () => {
  const missing = cutOff(
    'it is an export, and its last book is missing (if you took it out yourself, take out "shelflist-export" too)',
  );
  const header = 'title,author,year,shelflist-export';
  const lines = (...all: string[]) => `${all.join('\n')}\n`;
  const three = ['2: A|B|1', '3: C|D|2', '4: E|F|3'];
  const table: [what: string, file: string, rows: string[], message?: string][] = [
    ['CSV of several', lines(header, 'A,B,1,begin', 'C,D,2,', 'E,F,3,end'), three],
    ['CSV of one', lines(header, 'A,B,1,whole'), ['2: A|B|1']],
    ['CSV of none', lines(header, ',,,whole'), []],
    ['CSV of none, with ids', lines(`id,${header}`, ',,,,whole'), []],
    ['CSV of a book without anything', lines(header, ',,0,whole'), ['2: ||0']],
    ['CSV with ids', lines(`id,${header}`, '7,A,B,1,whole'), ['2: A|B|1']],
    ['CSV without its end', lines(header, 'A,B,1,begin', 'C,D,2,'), three.slice(0, 2), missing],
    ['CSV without its books', lines(header), [], missing],
    ['CSV without its beginning', lines(header, 'A,B,1,', 'C,D,2,end'), three.slice(0, 2)],
    [
      'CSV with a row that is too short',
      lines(header, 'A,B,1,begin', 'C,D', 'E,F,3,end'),
      ['2: A|B|1', '3: it has 2 cells for 4 columns', '4: E|F|3'],
    ],
    ['CSV of others, with such a column', lines('title,export', 'A,begin', 'B,'), ['2: A||0', '3: B||0']],
    [
      'NDJSON of several',
      lines(
        '{"title":"A","shelflist-export":"begin"}',
        '{"title":"B"}',
        '{"title":"C","shelflist-export":"end"}',
      ),
      ['1: A||0', '2: B||0', '3: C||0'],
    ],
    ['NDJSON of one', lines('{"title":"A","shelflist-export":"whole"}'), ['1: A||0']],
    ['NDJSON of none', lines('{"shelflist-export":"whole"}'), []],
    [
      'NDJSON without its end',
      lines('{"title":"A","shelflist-export":"begin"}', '{"title":"B"}'),
      ['1: A||0', '2: B||0'],
      missing,
    ],
    [
      'NDJSON of others, with such a member',
      lines('{"title":"A","shelflist-export":"x"}', '{"title":"B","export":1}'),
      ['1: A||0', '2: B||0'],
    ],
  ];
  for (const [what, file, rows, message] of table) {
    test(what, async () => {
      const found = await readUntilFailure(file);
      assert.deepEqual([found.rows, found.error?.message], [rows, message]);
    });
  }

  const cuts: [what: string, file: string, from: number][] = [
    ['CSV', lines(header, 'A,"B, ""é""",1,begin', '"C', 'C",,-20,', ',,0,', ' E ,书,30,end'), header.length],
    ['CSV of one', lines(header, 'A,B,12,whole'), header.length],
    ['CSV of none', lines(header, ',,,whole'), header.length],
    ['CSV with ids', lines(`id,${header}`, '1,A,B,1,begin', '22,C,D,22,end'), header.length + 3],
    [
      'NDJSON',
      lines(
        String.raw`{"title":"A \"é\"","author":"B","year":1,"shelflist-export":"begin"}`,
        '{"title":"","author":"","year":-20}',
        '{"title":"书","author":"F","year":30,"shelflist-export":"end"}',
      ),
      1,
    ],
    ['NDJSON of one', lines('{"title":"A","author":"B","year":12,"shelflist-export":"whole"}'), 1],
    ['NDJSON of none', lines('{"shelflist-export":"whole"}'), 1],
    ['JSON', lines('[', `${emma},`, '{"title":"[é]","author":"","year":-20}', ']'), 1],
    ['JSON of none', lines('[', ']'), 1],
  ];
  for (const [what, file, from] of cuts) {
    test(`${what}, cut at any byte, is cut off or whole`, async () => {
      const bytes = Buffer.from(file);
      const all = await readUntilFailure(bytes);
      assert.equal(all.error, undefined);
      for (let at = from; at < bytes.length; at++) {
        const { rows, error } = await readUntilFailure(bytes.subarray(0, at));
        if (error === undefined) assert.deepEqual(rows, all.rows, `${at} bytes`);
        else {
          assert.equal(error.code, 'failed', `${at} bytes`);
          assert.match(error.message, /^the file is cut off: /, `${at} bytes`);
        }
      }
    });
  }

  test('CSV, cut in its header, is not whole', async () => {
    for (let at = 'title'.length; at < header.length; at++) {
      const { error } = await readUntilFailure(header.slice(0, at));
      assert.notEqual(error, undefined, header.slice(0, at));
    }
  });
});

describe('a row longer than 16 MiB is refused, and what comes behind it is not read', () => {
  const mebibyte = 1024 * 1024;
  const chunk = Buffer.from('a'.repeat(64 * 1024));

  async function refuse(start: string) {
    let bytes = 0;
    async function* source() {
      yield await Promise.resolve(Buffer.from(start));
      for (; bytes < 64 * mebibyte; bytes += chunk.length) yield await Promise.resolve(chunk);
    }
    const rows: string[] = [];
    const reading = (async () => {
      for await (const row of readRows(source(), options)) rows.push(show(row).slice(0, 40));
    })();
    const error = await reading.then(
      () => undefined,
      (reason: unknown) => reason as { code: string; message: string },
    );
    return { rows, bytes, error };
  }

  const tooLong = (what: string) =>
    `${what} is longer than 16 MiB; nothing from it on is read. Is a quote or bracket not closed there?`;
  const noEnd = (line: number) => tooLong(`the row in line ${line}`);
  const table: [what: string, start: string, rows: string[], message: string][] = [
    ['CSV, a quote that is not closed', 'title\nA\n"', ['2: A||0'], noEnd(3)],
    ['CSV, a long line', 'title\nA\n', ['2: A||0'], noEnd(3)],
    ['CSV, a quote that is not closed, some lines before', 'title\nA\n"B\nC\nD\n', ['2: A||0'], noEnd(3)],
    ['NDJSON', '{"title":"A"}\n{"title":"', ['1: A||0'], tooLong('line 2')],
    ['JSON', '[{"title":"A"},{"title":"', ['1: A||0'], tooLong('book 2')],
  ];
  for (const [what, start, rows, message] of table) {
    test(what, async () => {
      const found = await refuse(start);
      assert.deepEqual([found.rows, found.error?.code, found.error?.message], [rows, 'failed', message]);
      assert.ok(found.bytes < 20 * mebibyte, `${found.bytes} bytes were read`);
    });
  }
});
