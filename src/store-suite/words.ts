import assert from 'node:assert/strict';
import { assertSame, bookOf } from './helpers.ts';
import type { CompleteStore } from '../store.ts';
import type { SuiteContext } from './store-suite.ts';

const catalogue: [title: string, author: string][] = [
  ['The Snowman', 'Jo Nesbø'],
  ['Ziemia obiecana: Łódź', 'Łukasz Orbitowski'],
  ['Fables', 'Æsop'],
  ['At Swim-Two-Birds', 'Flann O’Brien'],
  ['Die Straße', 'Ingeborg Drewitz'],
  ['ノルウェイの森', '村上春樹'],
  ['戦争と平和', 'トルストイ'],
  ['สงครามและสันติภาพ', 'เลโอ ตอลสตอย'],
  ['מלחמה ושלום', 'לב טולסטוי'],
  ['البؤساء والسلام', 'فيكتور هوغو'],
  ['राम की शक्ति\u00adपूजा', 'निराला'],
  ['रमा', 'مُحَمَّـــد'],
  ['War & Peace', 'Leo Tolstoy'],
  ["Harry Potter and the Philosopher's Stone", 'J.K. Rowling'],
  ['A Wizard of Earthsea', 'Ursula K. Le Guin'],
  ['Spider-Man', 'J. R. R. Lee'],
  ['Spiderman', 'JRR Mueller'],
  ['Die Ge\u00adschich\u00adte', 'Otto Müller'],
  ['C++ Primer', 'Stanley Lippman'],
  ['C# in Depth', 'Jon Skeet'],
  ['U.S.A.', 'John Dos Passos'],
  ['I ❤️ NY', '?'],
  ['Catch-22', 'Joseph Heller'],
];

const table: [q: string, ids: number[]][] = [
  ['nesbo', [1]],
  ['NESBØ', [1]],
  ['lodz', [2]],
  ['łódź lukasz', [2]],
  ['aesop', [3]],
  ['obrien', [4]],
  ["o'brien", [4]],
  ['O´Brien', [4]],
  ['o brien', [4]],
  ['brien', [4]],
  ['strasse', [5]],
  ['trasse', [5]], // No word begins so.
  ['森', [6]],
  ['春樹', [6]],
  ['村上春樹', [6]],
  ['村樹', []],
  ['平和', [7]],
  ['平和 トル', [7]],
  ['สันติภาพ', [8]],
  ['สนติภาพ', []],
  ['สันติ', [8]],
  ['ครามและ', [8]],
  ['שלום', [9]],
  ['ושלום', [9]],
  ['سلام', [10]],
  ['بؤساء', [10]],
  ['بوساء', [10]],
  ['राम', [11]],
  ['रमा', [12]],
  ['शक्तिपूजा', [11]],
  ['محمد', [12]],
  ['war and peace', [13]],
  ['war peace', [13]],
  ['WAR & PEACE', [13]],
  ['potter & stone', [14]],
  ['potter and the stone', [14]],
  ['&', [13]],
  ['jk rowling', [14]],
  ['j.k. rowling', [14]],
  ['j k', [14]],
  ['leguin', [15]],
  ['Le Guin', [15]],
  ['spiderman', [16, 17]],
  ['Spider-Man', [16, 17]],
  ['spider man', [16]],
  ['jrr', [16, 17]],
  ['J.R.R.', [14, 16, 17]],
  ['j. r. r.', [14, 16, 17]],
  ['mueller', [17, 18]],
  ['Müller', [17, 18]],
  ['muller', [18]],
  ['geschichte', [18]],
  ['c++', [19]],
  ['C＋＋', [19]],
  ['c+', [19]],
  ['c#', [20]],
  ['c# depth', [20]],
  ['usa', [21]],
  ['u s a', [21]],
  ['dospassos', [21]],
  ['❤', [22]],
  ['i ny', [22]],
  ['😀', []],
  ['?', []],
  ['!!!', []],
  ['catch22', [23]],
  ['catch-22', [23]],
  ['catch 22', [23]],
];

/** Words as readers type them: base letters, apostrophes, scripts without spaces, and prefixes. */
export function testWords({ runner, store: current }: SuiteContext): void {
  const { beforeEach, describe, test } = runner;
  describe('words', () => {
    let store: CompleteStore;
    beforeEach(() => {
      store = current();
    });

    async function assertFound(q: string, ids: readonly number[]) {
      const { books } = await store.find({ q, sort: 'id' }, { limit: 100 });
      assertSame(
        books.map(({ id }) => id),
        ids,
        q,
      );
      assert.equal(await store.count({ q }), ids.length, q);
    }

    test('find books in scripts with other letters, by joined words and initials, and by their signs', async () => {
      for (const [title, author] of catalogue) await store.create(bookOf({ title, author }));
      for (const [q, ids] of table) await assertFound(q, ids);
    });

    test('that are negative numbers find the books of that year, and texts without the sign', async () => {
      const all = [
        ['Gilgamesh', -1750],
        ['1750, a Year', 2001],
        ['The Castle', 1750],
        [`Gilgamesh ${Array.from({ length: 2500 }, (_, i) => `a${i}`).join(' ')}`, -1750],
      ] as const;
      for (const [title, year] of all) await store.create(bookOf({ title, author: 'X', year }));
      const found: [q: string, ids: number[]][] = [
        ['-1750', [1, 2, 4]],
        ['gilg -1750', [1, 4]],
        ['1750', [2, 3]],
        ['-175', [2]],
        ['castle-1750', [3]],
        ['-1750 1750', [2]],
      ];
      for (const [q, ids] of found) {
        await assertFound(q, ids);
        assertSame((await store.statistics({ q })).count, ids.length, q);
      }
    });

    test('within a run of characters are told apart beyond the part that an index holds', async () => {
      const run = '一二三四五六七八九十百千万億'.repeat(5);
      await store.create(bookOf({ title: `${run}甲` }));
      await store.create(bookOf({ title: `${run}乙` }));
      await assertFound(run, [1, 2]);
      await assertFound(`${run}乙`, [2]);
      await assertFound(`${run.slice(30)}甲`, [1]);
      await assertFound(`${run.slice(30)}丙`, []);
    });

    test('of a text of 1 MiB without spaces are searchable up to the limits', async () => {
      const { id } = await store.create(bookOf({ title: `始${'终'.repeat(350_000)}`, author: '作者' }));
      for (const q of ['始终', '终终', '者', '终'.repeat(30)]) await assertFound(q, [id]);
      await assertFound('终始', []);
    });
  });
}
