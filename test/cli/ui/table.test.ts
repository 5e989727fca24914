import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import stringWidth from 'string-width';
import { layOutTable, type TableColumn, type TableOptions } from '../../../src/cli/ui/table.ts';

const books: TableColumn[] = [
  { head: 'ID', align: 'right' },
  { head: 'TITLE', weight: 3 },
  { head: 'AUTHOR', weight: 2 },
  { head: 'YEAR', align: 'right' },
];

const unpainted: TableOptions = { width: undefined, paint: (_, text) => text };

async function layOut(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  options: Partial<TableOptions> = {},
): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of layOutTable(columns, rows, { ...unpainted, ...options })) {
    assert.ok(line.endsWith('\n'));
    lines.push(line.slice(0, -1));
  }
  return lines;
}

const long = 'The Life and Opinions of Tristram Shandy, Gentleman, in Nine Volumes';
const wide = '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。';

describe('without a width', () => {
  test('columns are as wide as their contents, and nothing is truncated', async () => {
    assert.deepEqual(
      await layOut(books, [
        ['1', long, 'Laurence Sterne', '1759'],
        ['10', 'Emma', '', '-1750'],
      ]),
      [
        `ID  TITLE${' '.repeat(long.length - 5)}  AUTHOR            YEAR`,
        ` 1  ${long}  Laurence Sterne   1759`,
        `10  Emma${' '.repeat(long.length - 4)}                   -1750`,
      ],
    );
  });

  test('without rows, only the header is written', async () => {
    assert.deepEqual(await layOut(books, []), ['ID  TITLE  AUTHOR  YEAR']);
  });

  test('the last column is not padded unless it is right-aligned', async () => {
    const columns = [{ head: 'A' }, { head: 'BBB' }];
    assert.deepEqual(await layOut(columns, [['aa', 'b']]), ['A   BBB', 'aa  b']);
  });

  test('a short row is completed with empty cells', async () => {
    assert.deepEqual(await layOut(books, [['1']]), ['ID  TITLE  AUTHOR  YEAR', ' 1                     ']);
  });
});

test('marked parts of cells are bold, as far as they are not cut off', async () => {
  const columns: TableColumn[] = [
    {
      head: 'TITLE',
      weight: 1,
      marker: () => [
        [0, 2],
        [4, 7],
        [8, 9],
      ],
    },
  ];
  const paint: TableOptions['paint'] = (style, text) => (style === 'bold' ? `<${text}>` : text);
  const lines = await layOut(columns, [['Harry Potter']], { paint });
  assert.deepEqual(lines, ['<TITLE>', '<Ha>rr<y P>o<t>ter']);
  assert.deepEqual(await layOut(columns, [['Harry Potter']], { paint, width: 6 }), ['<TITLE>', '<Ha>rr<y…>']);
});

test('the first 1,000 rows decide the widths, and are written before the next one arrives; each other when it does', async () => {
  let given = 0;
  function* rows() {
    for (;;) yield [String(++given).repeat(given > 1000 ? 3 : 1)];
  }
  const lines = layOutTable([{ head: 'N', weight: 1 }, { head: '' }], rows(), { ...unpainted, width: 80 });
  const next = async () => String((await lines.next()).value).trimEnd();
  assert.equal(await next(), 'N');
  for (let i = 1; i <= 1000; i++) assert.deepEqual([await next(), given], [String(i), 1000]);
  assert.deepEqual([await next(), given], ['100…', 1001]);
  assert.deepEqual([await next(), given], ['100…', 1002]);
  await lines.return(undefined);
});

describe('text width is measured in terminal cells', () => {
  const cells: [what: string, text: string, width: number][] = [
    ['latin', 'Emma', 4],
    ['accents', 'Żółć', 4],
    ['combining marks', 'Z\u0307o\u0301łc\u0301', 4],
    ['Chinese', '紅樓夢', 6],
    ['Korean', '채식주의자', 10],
    ['full-width letters', 'ＡＢ', 4],
    ['an emoji', '📚', 2],
    ['a new emoji', '🪿', 2],
    ['a family of one character', '👩‍👩‍👧‍👦', 2],
    ['a flag', '🇵🇱', 2],
    ['a skin tone', '👍🏽', 2],
    ['a zero-width space', 'a\u200Bb', 2],
  ];
  for (const [what, text, width] of cells) {
    test(`${what}: ${text}`, async () => {
      const [, first = '', second = ''] = await layOut(
        [{ head: '' }, { head: '' }],
        [
          [text, '|'],
          ['x'.repeat(12), '|'],
        ],
      );
      assert.equal(first, `${text}${' '.repeat(12 - width)}  |`);
      assert.equal(second, 'xxxxxxxxxxxx  |');
      const [, right = ''] = await layOut([{ head: 'h'.repeat(12), align: 'right' }], [[text]]);
      assert.equal(right, `${' '.repeat(12 - width)}${text}`);
    });
  }
});

describe('on a terminal', () => {
  const rows = [
    ['1', long, 'Laurence Sterne', '1759'],
    ['2', wide, '夏目漱石', '1905'],
    ['3', '🪿📚'.repeat(20), '👩‍👩‍👧‍👦🇵🇱'.repeat(10), '0'],
    ['4', 'Z\u0307'.repeat(70), 'e\u0301'.repeat(40), '-1750'],
    ['5', 'Emma', 'Jane Austen', '1815'],
  ];
  // At a width of 30, a column that is raised to its minimum must not take space from the other one.
  for (const width of [200, 80, 60, 40, 30]) {
    test(`at ${width} columns, every line has the same width and fits`, async () => {
      const lines = await layOut(books, rows, { width });
      for (const line of lines) assert.ok(stringWidth(line) <= width, `${stringWidth(line)}: ${line}`);
      assert.equal(new Set(lines.map((line) => stringWidth(line))).size, 1);
      for (const [i, row] of rows.entries()) {
        const line = lines[i + 1] ?? '';
        assert.ok(line.trimStart().startsWith(row[0] ?? '') && line.endsWith(row[3] ?? ''), line);
      }
    });
  }

  test('at 20 columns, 4 cells of each text remain', async () => {
    const [, first = ''] = await layOut(books, [['1', long, long, '1759']], { width: 20 });
    assert.equal(first, ' 1  The…  The…  1759');
  });

  test('short texts are never truncated', async () => {
    const [, first = ''] = await layOut(books, [['1', 'Emma', 'Austen', '1815']], { width: 23 });
    assert.equal(first, ' 1  Emma   Austen  1815');
  });

  test('a column that needs less leaves the rest to the others', async () => {
    const [, first = ''] = await layOut(books, [['1', long, 'Sterne', '1759']], { width: 40 });
    assert.equal(first, ' 1  The Life and Opinions…  Sterne  1759');
  });

  test('ids and years are never truncated', async () => {
    const [, first = ''] = await layOut(books, [['9007199254740991', long, long, '-9007199254740991']], {
      width: 40,
    });
    assert.match(first, /^9007199254740991 {2}.+ {2}-9007199254740991$/);
  });
});

describe('a text is truncated between graphemes', () => {
  const table: [what: string, text: string, cut: string][] = [
    ['what fits is not cut', '12345678', '12345678'],
    ['latin', '123456789', '1234567…'],
    ['wide, with no room for a half', '紅樓夢紅樓夢', '紅樓夢…'],
    ['wide after narrow', 'a紅樓夢紅樓夢', 'a紅樓夢…'],
    ['an accent stays with its letter', 'e\u0301'.repeat(9), `${'e\u0301'.repeat(7)}…`],
    ['a family stays together', '👩‍👩‍👧‍👦'.repeat(5), `${'👩‍👩‍👧‍👦'.repeat(3)}…`],
    ['a flag stays whole', '🇵🇱'.repeat(5), `${'🇵🇱'.repeat(3)}…`],
    ['half a pair is never left', '📚'.repeat(5), `${'📚'.repeat(3)}…`],
  ];
  for (const [what, text, cut] of table) {
    test(what, async () => {
      const [, row] = await layOut([{ head: 'A', weight: 1 }], [[text]], { width: 8 });
      assert.equal(row, cut);
    });
  }
});

test('colours do not count towards the width, and padding has no colour', async () => {
  const columns: TableColumn[] = [
    { head: 'A', style: 'red' },
    { head: 'B', align: 'right', style: 'cyan' },
    { head: 'C' },
  ];
  const paint: TableOptions['paint'] = (style, text) => (style === undefined ? text : `<${style}>${text}</>`);
  assert.deepEqual(await layOut(columns, [['aaa', 'b', 'c']], { paint }), [
    '<bold>A</>    <bold>B</>  <bold>C</>',
    '<red>aaa</>  <cyan>b</>  c',
  ]);
});
