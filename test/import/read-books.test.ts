import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import type { ColumnOverrides } from '../../src/import/column-parts.ts';
import type { BookRow, FileHeader } from '../../src/import/row.ts';
import { requireColumns } from '../../src/cli/commands/import/report.ts';
import { describe as describeProblem } from '../../src/formats/problems.ts';
import { readBooks } from '../../src/import/read-books.ts';
import {
  badBytes,
  csvFiles,
  damagedFiles,
  firstCharacters,
  jsonFiles,
  ndjsonFiles,
  unmatchedQuotes,
  unreadableFiles,
  withBadBytes,
} from './files.ts';

/** One chunk for each byte: nothing may depend on where the chunks end. */
async function* byteByByte(file: string | Buffer): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(file)) yield await Promise.resolve(Buffer.of(byte));
}

const requireTitle = (start: FileHeader) => {
  requireColumns(start, {}, false);
};
const options = { chosen: {}, onStart: requireTitle };

async function read(file: string | Buffer | AsyncIterable<Uint8Array>): Promise<BookRow[]> {
  const bytes = typeof file === 'string' || Buffer.isBuffer(file) ? byteByByte(file) : file;
  const rows: BookRow[] = [];
  for await (const row of readBooks(bytes, options)) rows.push(row);
  return rows;
}

/** `line: title|author|year`, with the notes, or `line: reason`. */
function show(row: BookRow): string {
  if ('problem' in row) return `${row.line}: ${describeProblem(row.problem)}`;
  const notes = (row.notes ?? []).map((note) => ` (${describeProblem(note)})`).join('');
  return `${row.line}: ${row.fields.title}|${row.fields.author}|${row.fields.year}${notes}`;
}

describe('CSV is read by RFC 4180', () => {
  for (const [what, file, rows] of csvFiles) {
    test(what, async () => {
      assert.deepEqual((await read(file)).map(show), rows);
    });
  }
});

describe('a year that is a whole number is read exactly', () => {
  const bad = (text: string) =>
    `2: A||0 (its year is not understood, and stays empty: ${JSON.stringify(text)})`;
  const table: [cell: string, row: string][] = [
    ['2008', '2: A||2008'],
    ['2008.0', '2: A||2008'],
    ['2008.', '2: A||2008'],
    ['-1750.0', '2: A||-1750'],
    ['+5', '2: A||5'],
    ['5', '2: A||5'],
    ['AD 98', '2: A||98'],
    ['98', '2: A||98 (its year has two digits, and is taken as the year 98)'],
    ["'07", '2: A||7 (its year has two digits, and is taken as the year 7)'],
    ['-0', '2: A||0'],
    ['', '2: A||0'],
    ['9007199254740991', '2: A||9007199254740991 (its year is far ahead: 9007199254740991)'],
    ...['9007199254740992', '2008.5', '36161', '1e3', '0x7d8', 'NaN'].map((text): [string, string] => [
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

test('a year of two digits in an export is exact', async () => {
  assert.deepEqual((await read('title,author,year\nA,B,98')).map(show), ['2: A|B|98']);
});

describe('a row with unmatched quotes costs its line, and those after it until the columns fit again', () => {
  for (const [what, file, rows] of unmatchedQuotes) {
    test(what, async () => {
      assert.deepEqual((await read(file)).map(show), rows);
    });
  }
});

describe('a byte that is not text rejects a row only in a used column, and says where it is', () => {
  for (const [what, file, rows] of badBytes) {
    test(what, async () => {
      assert.deepEqual((await read(withBadBytes(file))).map(show), rows);
    });
  }
});

describe('an unreadable or empty file', () => {
  for (const [what, file, error] of unreadableFiles) {
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
async function readWith(file: string, chosen: ColumnOverrides = {}) {
  const starts: FileHeader[] = [];
  const rows: string[] = [];
  const units: string[] = [];
  const onStart = (start: FileHeader) => {
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
  for (const { what, file, unit, rows } of firstCharacters) {
    test(what, async () => {
      const { starts, units, rows: found } = await readWith(file);
      assert.deepEqual(found, rows);
      const header = what.startsWith('CSV') ? ['title'] : undefined;
      assert.deepEqual([starts.map((start) => start.header), units], [[header], [unit]]);
    });
  }
});

describe('a JSON array', () => {
  for (const [what, file, rows] of jsonFiles) {
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
  const bad = (year: string) => `1: A||0 (its year is not understood, and stays empty: ${year})`;
  const table: [year: string, row: string][] = [
    ['1815', '1: A||1815'],
    ['-1750', '1: A||-1750'],
    ['1815.0', '1: A||1815'],
    ['1e3', '1: A||1000'],
    ['-0', '1: A||0'],
    ['9007199254740991', '1: A||9007199254740991 (its year is far ahead: 9007199254740991)'],
    ['-9007199254740991', '1: A||-9007199254740991'],
    ['98', '1: A||98'],
    ['"98"', '1: A||98 (its year has two digits, and is taken as the year 98)'],
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
  for (const [what, file, rows] of ndjsonFiles) {
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
  const table: { what: string; file: string; chosen: ColumnOverrides; rows: string[] }[] = [
    {
      what: 'in NDJSON',
      file: '{"Titel":"A","von":"B","title":"x"}\n',
      chosen: { title: 'titel', author: 'von' },
      rows: ['1: A|B|0'],
    },
    {
      what: 'in JSON',
      file: '[{"Titel":"A","jahr":"1"},{"jahr":2,"Titel":"B"}]',
      chosen: { title: 'Titel', year: 'jahr' },
      rows: ['1: A||1', '2: B||2'],
    },
    {
      what: 'that are not in every object',
      file: '{"a":"A","von":"B"}\n{"a":"C"}\n{"von":"D","title":"E"}\n',
      chosen: { title: 'a', author: 'von' },
      rows: ['1: A|B|0', '2: C||0', '3: it has no title'],
    },
  ];
  for (const { what, file, chosen, rows } of table) {
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
    return { rows, error: error as Error };
  }
  return { rows, error: undefined };
}

describe('of a truncated or damaged file, the rows before the error are read', () => {
  for (const { what, file, rows, message } of damagedFiles) {
    test(what, async () => {
      const found = await readUntilFailure(file);
      assert.deepEqual([found.rows, found.error?.name, found.error?.message], [rows, 'FileError', message]);
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
        { name: 'FileError', message: /^the file is cut off: its last character is incomplete; / },
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
    ['CSV of a book without anything', lines(header, '"","","0"'), ['2: ||0']],
    ['CSV of a book without a title', lines(header, '"","B, ""C""","2"'), ['2: |B, "C"|2']],
    ['CSV with ids', lines(`id,${header}`, '7,A,B,1', '8," ","","0"'), ['2: A|B|1', '3:  ||0']],
    ['CSV with semicolons', lines('title;author;year', '"";B;"2"'), ['2: |B|2']],
    ['CSV of others: no quotes', lines(header, ',B,1'), ['2: it has no title']],
    ['CSV of others: a quoted title', lines(header, '"",Nobody,2'), ['2: it has no title']],
    ['CSV of others: all quoted', lines(header, '"","Nobody","2"'), ['2: it has no title']],
    [
      'CSV of others: all quoted, the header too',
      lines('"title","author","year"', '"","Austen, Jane","2"', '"","","0"'),
      ['2: it has no title', '3: it has no title'],
    ],
    ['CSV of others: another header', lines('title,year', '"","1"'), ['2: it has no title']],
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
  const cuts: { what: string; file: string; from: number; breaks: RegExp }[] = [
    {
      what: 'CSV',
      file: lines(header, 'A,"B, ""é""",1', '"C', 'C","",20', '"","","0"', ' E ,书,3'),
      from: header.length,
      breaks: /(?:[\n,\d]|"0")$/,
    },
    {
      what: 'NDJSON',
      file: lines(String.raw`{"title":"A \"é\"","author":"B","year":1}`, '{"title":"","year":-20}'),
      from: 1,
      breaks: /[\n}]$/,
    },
    {
      what: 'JSON',
      file: lines('[', '{"title":"A"},', '{"title":"[é]","author":"","year":-20}', ']'),
      from: 1,
      breaks: /\]$/,
    },
    { what: 'JSON of none', file: lines('[', ']'), from: 1, breaks: /\]$/ },
  ];
  for (const { what, file, from, breaks } of cuts) {
    test(`${what} truncated anywhere but after a row is an error`, async () => {
      const bytes = Buffer.from(file);
      assert.equal((await readUntilFailure(bytes)).error, undefined);
      for (let at = from; at < bytes.length; at++) {
        const part = bytes.subarray(0, at);
        const { rows, error } = await readUntilFailure(part);
        if (rows.at(-1)?.includes(': its quotes do not match')) continue;
        if (error === undefined) assert.match(part.toString(), breaks, `${at} bytes`);
        else
          assert.match(
            error.message,
            /^the file is cut off: |^the encoding of the file is uncertain: /,
            `${at} bytes`,
          );
      }
    });
  }
});

test('a required year is missed in CSL-JSON, too', async () => {
  const file = '[{"type":"book","title":"A","author":[{"family":"B"}]}]';
  const rows: string[] = [];
  for await (const row of readBooks(byteByByte(file), { ...options, needsYear: true })) rows.push(show(row));
  assert.deepEqual(rows, ['1: it has no year']);
});

test('the columns that tell the book of a row are found whatever their case, in CSV and in JSON', async () => {
  for (const file of ['ID,title,Revision\n7,A,r1\n', '[{"ID":"7","title":"A","Revision":"r1"}]']) {
    const keys: unknown[] = [];
    const onStart = (start: FileHeader) => {
      requireColumns(start, {}, true);
    };
    for await (const row of readBooks(byteByByte(file), { isMatched: true, onStart }))
      keys.push('key' in row && row.key);
    assert.deepEqual(keys, [{ id: '7', revision: 'r1', given: ['title'] }]);
  }
});
