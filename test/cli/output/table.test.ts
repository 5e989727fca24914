import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import stringWidth from 'string-width';
import { layOutTable, type TableColumn, type TableOptions } from '../../../src/cli/output/table.ts';

const books: TableColumn[] = [
  { head: 'ID', align: 'right' },
  { head: 'TITLE', share: 3 },
  { head: 'AUTHOR', share: 2 },
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
  test('columns are as wide as what is in them, and nothing is cut off', async () => {
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

  test('no rows: the head alone', async () => {
    assert.deepEqual(await layOut(books, []), ['ID  TITLE  AUTHOR  YEAR']);
  });

  test('the last column is not filled up, unless it stands to the right', async () => {
    const columns = [{ head: 'A' }, { head: 'BBB' }];
    assert.deepEqual(await layOut(columns, [['aa', 'b']]), ['A   BBB', 'aa  b']);
  });

  test('a row that is too short has empty cells', async () => {
    assert.deepEqual(await layOut(books, [['1']]), ['ID  TITLE  AUTHOR  YEAR', ' 1                     ']);
  });
});

describe('widths are those of a terminal', () => {
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
  // BUG, of 30: the column that is widened to the narrowest takes nothing from the other one.
  for (const width of [200, 80, 60, 40, 30]) {
    test(`of ${width} columns no line is wider, and every one is as wide as the others`, async () => {
      const lines = await layOut(books, rows, { width });
      for (const line of lines) assert.ok(stringWidth(line) <= width, `${stringWidth(line)}: ${line}`);
      assert.equal(new Set(lines.map((line) => stringWidth(line))).size, 1);
      for (const [i, row] of rows.entries()) {
        const line = lines[i + 1] ?? '';
        assert.ok(line.trimStart().startsWith(row[0] ?? '') && line.endsWith(row[3] ?? ''), line);
      }
    });
  }

  test('of 20 columns 4 of each text are left', async () => {
    const [, first = ''] = await layOut(books, [['1', long, long, '1759']], { width: 20 });
    assert.equal(first, ' 1  The…  The…  1759');
  });

  test('short texts are cut off nowhere', async () => {
    const [, first = ''] = await layOut(books, [['1', 'Emma', 'Austen', '1815']], { width: 23 });
    assert.equal(first, ' 1  Emma   Austen  1815');
  });

  test('who needs less leaves the rest to the others', async () => {
    const [, first = ''] = await layOut(books, [['1', long, 'Sterne', '1759']], { width: 40 });
    assert.equal(first, ' 1  The Life and Opinions…  Sterne  1759');
  });

  test('ids and years are never cut off', async () => {
    const [, first = ''] = await layOut(books, [['9007199254740991', long, long, '-9007199254740991']], {
      width: 40,
    });
    assert.match(first, /^9007199254740991 {2}.+ {2}-9007199254740991$/);
  });
});

describe('a text is cut between characters', () => {
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
      const [, row] = await layOut([{ head: 'A', share: 1 }], [[text]], { width: 8 });
      assert.equal(row, cut);
    });
  }
});

test('colours count for nothing, and what is filled up has none', async () => {
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
