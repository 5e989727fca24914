import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import type { Chosen } from '../../src/import/columns.ts';
import type { BookRow, Start } from '../../src/import/row.ts';
import { requireColumns } from '../../src/cli/commands/import/columns.ts';
import { describe as describeProblem } from '../../src/formats/problems.ts';
import { readBooks } from '../../src/import/read-books.ts';

/** One chunk for each byte: nothing may depend on where the chunks end. */
async function* byteByByte(file: string | Buffer): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(file)) yield await Promise.resolve(Buffer.of(byte));
}

const requireTitle = (start: Start) => {
  requireColumns(start, {}, false);
};
const options = { chosen: {}, onStart: requireTitle };

async function read(file: string | Buffer | AsyncIterable<Uint8Array>): Promise<BookRow[]> {
  const bytes = typeof file === 'string' || Buffer.isBuffer(file) ? byteByByte(file) : file;
  const rows: BookRow[] = [];
  for await (const row of readBooks(bytes, options)) rows.push(row);
  return rows;
}

/** `line: title|author|year`, or `line: reason`. */
function show(row: BookRow): string {
  if ('problem' in row) return `${row.line}: ${describeProblem(row.problem)}`;
  return `${row.line}: ${row.fields.title}|${row.fields.author}|${row.fields.year}`;
}

describe('CSV is read by RFC 4180', () => {
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

describe('a year that is a whole number is read exactly', () => {
  const bad = (text: string) => `2: its year is not understood: ${JSON.stringify(text)}`;
  const table: [cell: string, row: string][] = [
    ['2008', '2: A||2008'],
    ['2008.0', '2: A||2008'],
    ['2008.', '2: A||2008'],
    ['-1750.0', '2: A||-1750'],
    ['+5', '2: A||5'],
    ['-0', '2: A||0'],
    ['', '2: A||0'],
    ['9007199254740991', '2: A||9007199254740991'],
    ...['9007199254740992', '2008.5', '1e3', '0x7d8', '１９００', 'NaN'].map((text): [string, string] => [
      text,
      bad(text),
    ]),
  ];
  for (const [cell, row] of table) {
    test(JSON.stringify(cell), async () => {
      assert.deepEqual((await read(`title,year\nA,${cell}`)).map(show), [row]);
    });
  }
});

describe('a row with unmatched quotes is left out, with the lines that it swallows', () => {
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

describe('a byte that is not text rejects a row only in a used column, and says where it is', () => {
  const bytes = (text: string) =>
    Buffer.from(Buffer.from(text).toString('latin1').replaceAll('~', '\xe9'), 'latin1');
  const no = 'a byte that is not text in the encoding of the file (0xe9)';
  const table: [what: string, file: string, rows: string[]][] = [
    [
      'title',
      'title,author\né,B\nC~,D\nE,F\n',
      ['2: é|B|0', `3: its title has ${no}: line 3, column 2`, '4: E|F|0'],
    ],
    ['an unused column', 'title,x,author\né,,\nA,~,B\n', ['2: é||0', '3: A|B|0']],
    [
      'the second of two',
      'x,title\né,é\n~書~,"a\nbé~"\n',
      ['2: é||0', `3: its title has ${no}: line 4, column 3`],
    ],
    ['the year', 'title,year\né,1\nA,19~9\n', ['2: é||1', `3: its year has ${no}: line 3, column 5`]],
    ['the header', 'title,~,é\nA,B,C\n', ['2: A||0']],
    [
      'NDJSON',
      '{"title":"é"}\n{"title":"A~"}\n{"title":"B","x":"~"}\n',
      ['1: é||0', `2: its title has ${no}: line 2, column 12`, '3: B||0'],
    ],
    ['JSON', '[{"title":"é"},{"title":"A","author":["B","~"]}]', ['1: é||0', `2: its author has ${no}`]],
  ];
  for (const [what, file, rows] of table) {
    test(what, async () => {
      assert.deepEqual((await read(bytes(file))).map(show), rows);
    });
  }
});

describe('an unreadable or empty file', () => {
  const table: [what: string, file: string | Buffer, error: { code: string; message?: string | RegExp }][] = [
    ['empty', '', { code: 'failed', message: 'the file is empty' }],
    ['nothing but empty lines', '\n\n', { code: 'failed', message: 'the file is empty' }],
    [
      'cut off in a character',
      Buffer.from('title\né\né').subarray(0, -1),
      { code: 'failed', message: /^the file is cut off: its last character is incomplete; / },
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
  for await (const row of readBooks(source(), options)) if (row.line === 2) break;
  await ended;
});

/** The same as `read`, and what was said before the first row. */
async function readWith(file: string, chosen: Chosen = {}) {
  const starts: Start[] = [];
  const rows: string[] = [];
  const units: string[] = [];
  const onStart = (start: Start) => {
    requireColumns(start, chosen, false);
    starts.push(start);
  };
  for await (const row of readBooks(byteByByte(file), { chosen, onStart })) {
    rows.push(show(row));
    units.push(row.unit);
  }
  return { starts, units, rows };
}

describe('the first character of a file tells its format', () => {
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
      'nested values, which are ignored',
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
        '4: its title is not text: 7',
        '5: its title is not text: […]',
      ],
    ],
    [
      'an author that is none',
      '[{"title":"A","author":7},{"title":"A","author":["B",1]},{"title":"A","author":{"a":"B"}}]',
      ['7', '[…]', '{…}'].map((author, i) => `${i + 1}: its author is not text: ${author}`),
    ],
    [
      'a value that is not an object',
      '[{"title":"A"},1,"a",null,true,["title"],[],{"title":"B"}]',
      ['1: A||0', ...[2, 3, 4, 5, 6, 7].map((line) => `${line}: it is not an object`), '8: B||0'],
    ],
    ['a value that is not an object first', '[null,{"title":"A"}]', ['1: it is not an object', '2: A||0']],
    ['nothing that is an object', '[1,[2]]', ['1: it is not an object', '2: it is not an object']],
    ['the last of two members with one name', '[{"title":"A","title":"B"}]', ['1: B||0']],
    [
      'members named like what every object has',
      '[{"title":"A","constructor":"x","toString":1,"hasOwnProperty":2}]',
      ['1: A||0'],
    ],
    [
      'a prototype is not a book',
      '[{"title":"A"},{"__proto__":{"title":"B","author":"C"}},{"title":"D","__proto__":{"author":"E"}}]',
      ['1: A||0', '2: it has no title', '3: D||0'],
    ],
    ['a member without a name is not a field', '[{"title":"A","":"B"}]', ['1: A||0']],
  ];
  for (const [what, file, rows] of table) {
    test(what, async () => {
      assert.deepEqual((await read(file)).map(show), rows);
    });
  }

  test('members of a row do not change the prototype of other objects', async () => {
    await read('[{"title":"A","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}]');
    await read('{"title":"A","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });
});

describe('a year in JSON', () => {
  const bad = (year: string) => `1: its year is not understood: ${year}`;
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
    ['"0101-01-01"', '1: A||0'],
    ['1e21', bad('1e+21')],
    ['[1815]', bad('[…]')],
    ['{"y":1815}', bad('{…}')],
    [`"${'9'.repeat(100)}"`, bad(`"${'9'.repeat(80)}"…`)],
    ...['1815.5', '9007199254740992', 'true'].map((year): [string, string] => [year, bad(year)]),
  ];
  for (const [year, row] of table) {
    test(year, async () => {
      assert.deepEqual((await read(`[{"title":"A","year":${year}}]`)).map(show), [row]);
      assert.deepEqual((await read(`{"title":"A","year":${year}}`)).map(show), [row]);
    });
  }
});

describe('NDJSON', () => {
  const no = 'it is not JSON';
  const table: [what: string, file: string, rows: string[]][] = [
    ['plain', `${emma}\n{"title":"B"}\n`, ['1: Emma|Jane Austen|1815', '2: B||0']],
    ['no line break at the end', '{"title":"A"}\n{"title":"B"}', ['1: A||0', '2: B||0']],
    ['CRLF', '{"title":"A"}\r\n{"title":"B"}\r\n', ['1: A||0', '2: B||0']],
    ['empty lines', '{"title":"A"}\n\n\r\n \t\n{"title":"B"}\n\n', ['1: A||0', '5: B||0']],
    [
      'other line breaks in text',
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
      'a value that is not an object',
      '{"title":"A"}\n1\n"a"\ntrue\n[{"title":"B"}]\n{"title":"C"}\n',
      ['1: A||0', ...[2, 3, 4, 5].map((line) => `${line}: it is not an object`), '6: C||0'],
    ],
    ['null', '{"title":"A"}\nnull\n{"title":"B"}\n', ['1: A||0', '2: it is not an object', '3: B||0']],
    [
      'members in another order, and others, on each line',
      '{"title":"A","year":1}\n{"year":2,"title":"B"}\n{"name":"C","creator":"D"}\n{"year":3}\n',
      ['1: A||1', '2: B||2', '3: C|D|0', '4: it has no title'],
    ],
    [
      'a prototype is not a book',
      '{"title":"A"}\n{"__proto__":{"title":"B"}}\n{"title":"C","__proto__":{"author":"D"}}\n',
      ['1: A||0', '2: it has no title', '3: C||0'],
    ],
    ['a member without a name is not a field', '{"title":"A","":"B"}\n', ['1: A||0']],
  ];
  for (const [what, file, rows] of table) {
    test(what, async () => {
      assert.deepEqual((await read(file)).map(show), rows);
    });
  }

  test('more lists of members than are cached', async () => {
    const lines = Array.from({ length: 250 }, (_, i) => `{"x${i}":1,"title":"${i}","y":2}`);
    const twice = [...lines, ...lines];
    const rows = twice.map((_, i) => `${i + 1}: ${i % 250}||0`);
    assert.deepEqual((await read(`${twice.join('\n')}\n`)).map(show), rows);
  });
});

describe('members named with --map', () => {
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
    test(`a named member that is missing: ${file}`, async () => {
      const message = 'column "jahr" not found. The first object has: "title"';
      await assert.rejects(readWith(file, { year: 'jahr' }), { code: 'usage', message });
    });
  }

  for (const file of ['{"a":"A"}\n', '[{"a":"A"}]']) {
    test(`no member for the title: ${file}`, async () => {
      const message = /^no column looks like the title; .+: "a"$/;
      await assert.rejects(readWith(file), { code: 'usage', message });
    });
  }
});

/** The rows up to where the reading fails, and the error. */
async function readUntilFailure(file: string | Buffer) {
  const rows: string[] = [];
  try {
    for await (const row of readBooks(byteByByte(file), options)) rows.push(show(row));
  } catch (error) {
    return { rows, error: error as { code?: string; message: string } };
  }
  return { rows, error: undefined };
}

const cutOff = (where: string) =>
  `the file is cut off: ${where}; import the whole file with --on-duplicate skip to add the rest`;
const endsIn = (line: number) => cutOff(`line ${line} ends in the middle`);

describe('of a truncated or damaged file, the rows before the error are read', () => {
  const noJson = (count: number) =>
    `the file is not valid JSON after book ${count}; the rest of it was not read`;
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
    test(`CSV truncated within a character, ${atOnce ? 'at once' : 'byte by byte'}: the rows before it are read`, async () => {
      const file = Buffer.from('title\né\nB\nC\n书').subarray(0, -1);
      const rows: string[] = [];
      async function* one() {
        yield await Promise.resolve(file);
      }
      await assert.rejects(
        async () => {
          for await (const row of readBooks(atOnce ? one() : byteByByte(file), options)) rows.push(show(row));
        },
        { code: 'failed', message: /^the file is cut off: its last character is incomplete; / },
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
    test(`CSV is not truncated: ${what}`, async () => {
      assert.deepEqual(await readUntilFailure(file), { rows, error: undefined });
    });
  }
});

describe('an export', () => {
  const header = 'title,author,year';
  const lines = (...all: string[]) => `${all.join('\n')}\n`;
  const table: [what: string, file: string, rows: string[]][] = [
    ['CSV of several', lines(header, 'A,B,1', 'C,"",2'), ['2: A|B|1', '3: C||2']],
    ['CSV of none', lines(header), []],
    ['CSV of none, with ids', lines(`id,${header}`), []],
    ['CSV of a book without anything', lines(header, '"","",0'), ['2: ||0']],
    ['CSV with ids', lines(`id,${header}`, '7,A,B,1', '8," ","",0'), ['2: A|B|1', '3:  ||0']],
    ['CSV of others: no quotes', lines(header, ',B,1'), ['2: it has no title']],
    ['CSV of others: another header', lines('title,year', '"",1'), ['2: it has no title']],
    ['NDJSON of a book without anything', lines('{"title":"","author":"","year":0}'), ['1: ||0']],
  ];
  for (const [what, file, rows] of table) {
    test(what, async () => {
      assert.deepEqual(await readUntilFailure(file), { rows, error: undefined });
    });
  }

  test('NDJSON without rows is an empty file, which is an error for other formats', async () => {
    const rows: BookRow[] = [];
    for await (const row of readBooks(byteByByte(''), { ...options, mayBeEmpty: true })) rows.push(row);
    assert.deepEqual(rows, []);
    assert.equal((await readUntilFailure('')).error?.message, 'the file is empty');
  });

  /** `from`: the first length that an import recognises as this format. `breaks`: a cut after these is not recognised. */
  const cuts: [what: string, file: string, from: number, breaks: RegExp][] = [
    [
      'CSV',
      lines(header, 'A,"B, ""é""",1', '"C', 'C","",20', '"","",0', ' E ,书,3'),
      header.length,
      /[\n,\d]$/,
    ],
    [
      'NDJSON',
      lines(String.raw`{"title":"A \"é\"","author":"B","year":1}`, '{"title":"","year":-20}'),
      1,
      /[\n}]$/,
    ],
    ['JSON', lines('[', '{"title":"A"},', '{"title":"[é]","author":"","year":-20}', ']'), 1, /\]$/],
    ['JSON of none', lines('[', ']'), 1, /\]$/],
  ];
  for (const [what, file, from, breaks] of cuts) {
    test(`${what} truncated anywhere but after a row is an error`, async () => {
      const bytes = Buffer.from(file);
      assert.equal((await readUntilFailure(bytes)).error, undefined);
      for (let at = from; at < bytes.length; at++) {
        const part = bytes.subarray(0, at);
        const { rows, error } = await readUntilFailure(part);
        if (rows.at(-1)?.includes(': its quotes do not match')) continue;
        if (error === undefined) assert.match(part.toString(), breaks, `${at} bytes`);
        else assert.match(error.message, /^the file is cut off: /, `${at} bytes`);
      }
    });
  }
});
