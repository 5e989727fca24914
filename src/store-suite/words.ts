import assert from 'node:assert/strict';
import { assertSame, bookOf } from './helpers.ts';
import type { BookStore, KeysetPosition } from '../index.ts';
import { positionOf } from '../catalogue/keyset-position.ts';
import { toFilter } from '../catalogue/query.ts';
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
  ['trasse', []],
  ['森', [6]],
  ['春樹', [6]],
  ['村上春樹', [6]],
  ['村樹', []],
  ['平和', [7]],
  ['平和 トル', [7]],
  ['สันติภาพ', [8]],
  ['สนติภาพ', [8]],
  ['ครามและ', [8]],
  ['שלום', [9]],
  ['ושלום', [9]],
  ['سلام', [10]],
  ['بؤساء', [10]],
];

/** Words as readers type them: base letters, apostrophes, scripts without spaces, and prefixes. */
export function testWords({ runner, store: current }: SuiteContext): void {
  const { beforeEach, describe, test } = runner;
  describe('words', () => {
    let store: BookStore;
    beforeEach(() => {
      store = current();
    });

    async function assertFound(q: string, ids: readonly number[]) {
      const { books } = await store.find({ q }, { limit: 100 });
      assertSame(
        books.map(({ id }) => id),
        ids,
        q,
      );
      assert.equal(await store.count({ q }), ids.length, q);
    }

    test('find books in scripts with other letters, without spaces, and with prefixes', async () => {
      for (const [title, author] of catalogue) await store.create(bookOf({ title, author }));
      for (const [q, ids] of table) await assertFound(q, ids);
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

    test('that are articles can be ignored by the order, on pages of any length', async () => {
      const titles = [
        'The Hobbit',
        'Hobbit',
        'A Hobbit',
        'An Apple',
        'The',
        'the the',
        'Zoo',
        'Theory',
        '',
        'Die Hobbit',
      ];
      for (const title of titles) await store.create(bookOf({ title, author: 'x' }));
      const orders: [articles: string[], sort: 'title' | '-title', ids: number[]][] = [
        [[], 'title', [9, 3, 4, 10, 2, 5, 1, 6, 8, 7]],
        [['The', 'a', 'AN'], 'title', [9, 4, 10, 1, 2, 3, 5, 6, 8, 7]],
        [['the', 'a', 'an'], '-title', [7, 8, 6, 5, 3, 2, 1, 10, 4, 9]],
        [['die', 'the'], 'title', [9, 3, 4, 1, 2, 10, 5, 6, 8, 7]],
      ];
      for (const [articles, sort, ids] of orders)
        for (const q of ['', 'x'])
          for (const limit of [1, 2, 3, 100]) {
            const query = { articles, sort, q };
            const found: number[] = [];
            for (let after: KeysetPosition | undefined, isLast = false; !isLast;) {
              const page = await store.find(query, { limit, after });
              found.push(...page.books.map(({ id }) => id));
              isLast = page.isLast;
              const last = page.books.at(-1);
              after = last && positionOf(toFilter(query), last);
            }
            assertSame(found, ids, JSON.stringify({ query, limit }));
          }
      const whole = await store.find({ title: 'hobbit', articles: ['the'], sort: 'title' }, { limit: 9 });
      assertSame(
        whole.books.map(({ id }) => id),
        [2],
      );
    });

    test('of a text of 1 MiB without spaces are searchable up to the limits', async () => {
      const { id } = await store.create(bookOf({ title: `始${'终'.repeat(350_000)}`, author: '作者' }));
      for (const q of ['始终', '终终', '者', '终'.repeat(30)]) await assertFound(q, [id]);
      await assertFound('终始', []);
    });
  });
}
