import assert from 'node:assert/strict';
import { assertSame, bookOf, emma } from './helpers.ts';
import { positionOf, toFilter, type BookQuery, type CompleteStore, type KeysetPosition } from '../store.ts';
import { endOf } from '../store/contract/page.ts';
import type { SuiteContext } from './store-suite.ts';

/** The contract of `find` and `count`. */
export function testFind({ runner, open, putBack, store: current }: SuiteContext): void {
  const { beforeEach, describe, test } = runner;
  describe('find', () => {
    let store: CompleteStore;
    beforeEach(() => {
      store = current();
    });

    /** Returns the ids on all pages. Runs `between` after each page but the last. */
    async function pages(query: BookQuery, limit: number, between?: (page: number) => Promise<unknown>) {
      const ids: number[][] = [];
      let after: KeysetPosition | undefined;
      for (;;) {
        const page = await store.find(query, { limit, after });
        ids.push(page.books.map(({ id }) => id));
        after = endOf(query, page);
        if (after === undefined || page.isLast) {
          assert.ok(page.isLast);
          return ids;
        }
        await between?.(ids.length);
      }
    }

    const catalogue: [title: string, author: string, year: number][] = [
      ['Emma', 'Jane Austen', 1815],
      ['Pride and Prejudice', 'Jane Austen', 1813],
      ['Die Straße', 'Heinrich Böll', 1970],
      ['STRASSE', 'Cormac McCarthy', 2006],
      ['', '', 0],
      ['emma!', 'E. M. Forster', -5],
      ['Ὀδύσσεια', 'Ὅμηρος', -720],
      ['红楼梦', '曹雪芹', 1791],
      ['İstanbul', 'Orhan Pamuk', 2003],
      ['Ｆｕｌｌ \u{1f4da} Zero2One', "Flann O'Brien", 1815],
      ['\u{10400}x', '\uffeex', 1815],
    ];
    const table: [query: BookQuery, ids: number[]][] = [
      [{}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
      [{ q: '' }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
      [{ q: ' ' }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
      [{ q: ' ¡! ' }, []],
      [{ q: 'emma' }, [1, 6]],
      [{ q: 'JAN pre' }, [2]],
      [{ q: 'austen jane' }, [1, 2]],
      [{ q: 'jane au aus' }, [1, 2]], // Two of the words may be the start of one.
      [{ q: '1815' }, [1, 11, 10]],
      [{ q: 'austen 1815' }, [1]],
      [{ q: '181 1815' }, []], // A year matches as a whole.
      [{ q: '5' }, []],
      [{ q: '-5' }, [6]],
      [{ q: '−720 -720' }, [7]],
      [{ q: 'emma －5', sort: '-title' }, [6]],
      [{ q: '-1815' }, []],
      [{ q: '-5 -720' }, []],
      [{ q: 'x-5' }, []],
      [{ titleWords: '-5' }, []],
      [{ q: '0' }, []],
      [{ titleWords: '1815' }, []],
      [{ q: 'austen emma forster' }, []],
      [{ q: 'ma' }, []],
      [{ q: 'strasse' }, [3, 4]],
      [{ q: 'straß' }, [3, 4]],
      [{ q: 'boll' }, [3]],
      [{ q: 'οδυσσεια ομηροσ' }, [7]],
      [{ q: '红' }, [8]],
      [{ q: '楼' }, [8]],
      [{ q: 'istan' }, [9]],
      [{ q: 'full zero2' }, [10]],
      [{ q: 'o brien' }, [10]],
      [{ q: '.*' }, []],
      [{ q: '\u{10428}' }, [11]],
      [{ authorWords: 'aust' }, [1, 2]],
      [{ titleWords: 'aust' }, []],
      [{ titleWords: 'STRAß' }, [3, 4]],
      [{ titleWords: 'e', authorWords: 'e' }, [6]],
      [{ titleWords: 'emma', q: 'jane' }, [1]],
      [{ titleWords: 'pre pri', sort: '-title' }, [2]],
      [{ authorWords: 'o', yearFrom: 1900 }, [9]],
      [{ authorWords: "o'b" }, [10]],
      [{ titleWords: '', authorWords: ' ' }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
      [{ titleWords: '!', authorWords: '' }, []],
      [{ title: 'emma' }, [1, 6]],
      [{ title: 'em' }, []],
      [{ title: '' }, [5]],
      [{ title: '', author: '' }, [5]],
      [{ author: 'AUSTEN, Jane' }, []],
      [{ author: '“Jane” Austen' }, [1, 2]],
      [{ author: 'jane austen', title: 'emma' }, [1]],
      [{ year: 1815 }, [1, 10, 11]],
      [{ year: 1815, q: 'emma' }, [1]],
      [{ yearFrom: 1970 }, [3, 4, 9]],
      [{ yearTo: 0 }, [5, 6, 7]],
      [{ yearFrom: -5, yearTo: 0, sort: 'year' }, [6, 5]],
      [{ yearFrom: 2, yearTo: 1 }, []],
      [{ year: 1815, yearFrom: 1816 }, []],
      [{ sort: '-id' }, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
      [{ sort: 'year' }, [7, 6, 5, 8, 2, 1, 10, 11, 3, 9, 4]],
      [{ sort: '-year' }, [4, 9, 3, 11, 10, 1, 2, 8, 5, 6, 7]],
      [{ sort: 'title' }, [5, 3, 1, 6, 10, 9, 2, 4, 7, 8, 11]],
      [{ sort: '-title' }, [11, 8, 7, 4, 2, 9, 10, 6, 1, 3, 5]],
      [{ sort: 'author', q: 'e' }, [1, 6]],
      [{ sort: '-author', yearFrom: 1815, yearTo: 1815 }, [11, 10, 1]],
    ];

    test('matches the expected books of each query, in pages of any length, and count agrees', async () => {
      for (const [title, author, year] of catalogue) await store.create(bookOf({ title, author, year }));
      for (const [i, [query, ids]] of table.entries()) {
        // Short pages take most of the time, so each query has one kind of them.
        for (const limit of [[1, 2, 5][i % 3] ?? 1, 11, 12, 5000])
          assertSame((await pages(query, limit)).flat(), ids, JSON.stringify({ query, limit }));
        assert.equal(await store.count(query), ids.length, JSON.stringify(query));
      }
    });

    const ordered: [what: string, sort: 'title' | 'author', texts: string[]][] = [
      [
        'numbers by value',
        'title',
        ['Volume', 'Volume 2', 'Volume 010', 'Volume ١١', 'Volume 100', 'Volumes'],
      ],
      ['no leading article without a setting', 'title', ['A Zoo', 'Hobbit', 'L’Étranger', 'The Ant']],
      [
        'family names first, with their capitalised particles',
        'author',
        [
          ...['', 'Jane Austen', 'Austen, Zoe', 'Ludwig van Beethoven', 'Homer', 'Ursula K. Le Guin'],
          ...['Oxford University Press', 'Press 9', 'Press 10', 'J.K. Rowling, Mary GrandPré'],
          ...['Tolkien, J.R.R.', 'Dick Van Dyke', 'Kurt Vonnegut, Jr.', '村上 春樹'],
        ],
      ],
      [
        'the words of an organisation as they are written',
        'author',
        ['Society of Arts', 'Jane Sz', 'World Press'],
      ],
    ];
    for (const [what, sort, texts] of ordered)
      test(`orders by ${sort}: ${what}`, async () => {
        for (const text of texts.toReversed()) await store.create({ ...emma, [sort]: text });
        const ids = texts.map((_, i) => texts.length - i);
        for (const limit of [1, 3, 100])
          for (const query of [{}, { year: emma.year, q: `${emma.year}` }]) {
            assertSame((await pages({ ...query, sort }, limit)).flat(), ids);
            assertSame((await pages({ ...query, sort: `-${sort}` }, limit)).flat(), ids.toReversed());
          }
      });

    test('returns a descending order as the exact reverse, even among many equal books', async () => {
      const titles = ['b', 'The b', 'a', 'The a'];
      for (let i = 0; i < 120; i++)
        await store.create(
          bookOf({ title: titles[i % 4] ?? '', author: i % 40 === 7 ? 'y' : 'x', year: i % 2 }),
        );
      for (const sort of ['id', 'title', 'author', 'year'] as const)
        for (const query of [{}, { q: 'x' }, { sort: 'title' }] as const) {
          const ids = (await pages({ ...query, sort }, 1000)).flat();
          for (const limit of [7, 1000])
            assertSame((await pages({ ...query, sort: `-${sort}` }, limit)).flat(), ids.toReversed(), sort);
        }
    });

    test('marks exactly the last page', async () => {
      for (let i = 0; i < 4; i++) await store.create(emma);
      for (const sort of ['id', 'title', 'year'] as const) {
        assertSame(await pages({ sort }, 2), [
          [1, 2],
          [3, 4],
        ]);
        assertSame(await pages({ sort }, 3), [[1, 2, 3], [4]]);
        assertSame(await pages({ sort: `-${sort}` }, 2), [
          [4, 3],
          [2, 1],
        ]);
        assertSame(await pages({ sort: `-${sort}` }, 3), [[4, 3, 2], [1]]);
      }
      assertSame(await pages({ q: 'nothing' }, 1), [[]]);
    });

    test('rejects a missing or malformed limit with advice', async () => {
      for (const page of [undefined, {}, { limit: 0 }, { limit: 1.5 }, { limit: '1' }])
        await assert.rejects(store.find({ q: 'emma' }, page as unknown as { limit: number }), {
          name: 'ShelflistError',
          code: 'invalid_query',
          message: /limit/,
        });
    });

    test('sees every acknowledged write, of another open store too', async () => {
      const other = await open();
      for (let id = 1; id <= 30; id++) {
        await store.create({ ...emma, title: `old ${id}` });
        assertSame((await other.find({ q: `old ${id}` }, { limit: 5 })).books.length, 1);
        await store.update(id, { title: `new ${id}` });
        assert.equal(await other.count({ q: 'old' }), 0);
        assert.equal(await other.count({ title: `NEW ${id}` }), 1);
        await store.delete(id);
        assert.equal(await other.count({}), 0);
      }
    });

    for (const sort of ['id', 'title', '-title', '-year'] as const) {
      test(`returns each lasting book once during concurrent writes: ${sort}`, async () => {
        const letters = 'abcdefghijklmnopqrst';
        const fieldsOf = (i: number) => bookOf({ title: letters[i % 20] ?? '', author: 'x', year: i % 20 });
        await Promise.all(Array.from({ length: 60 }, (_, i) => store.create(fieldsOf(i))));
        const [deleted, kept] = [
          [7, 23, 41],
          [50, 51, 52],
        ];
        const found = await pages({ sort, q: 'x' }, 7, async (page) => {
          const id = deleted[page];
          const changed = kept[page % 3] ?? 0;
          await Promise.all([
            store.create(fieldsOf(page)),
            id === undefined ? undefined : store.delete(id),
            store.update(changed, { author: `x ${page}` }),
          ]);
        });
        const ids = found.flat();
        assert.equal(new Set(ids).size, ids.length);
        for (let id = 1; id <= 60; id++) assert.ok(deleted.includes(id) || ids.includes(id), String(id));
      });
    }

    test('continues after the position of a deleted book', async () => {
      for (const title of ['a', 'b', 'b', 'b', 'c']) await store.create({ ...emma, title });
      await store.delete(3);
      for (const [sort, ids] of [
        ['title', [4, 5]],
        ['-title', [2, 1]],
      ] as const) {
        const position = positionOf(toFilter({ sort }), { ...emma, title: 'b', id: 3 });
        const { books } = await store.find({ sort }, { limit: 9, after: position });
        assertSame(
          books.map(({ id }) => id),
          ids,
        );
      }
    });

    test('distinguishes titles with 1,000 equal bytes, and words with 64 equal letters', async () => {
      const start = 'é'.repeat(70);
      const titles = [
        `${'word '.repeat(300)}b`,
        `${'word '.repeat(300)}a`,
        `${start}b`,
        `${start}a`,
        'ж'.repeat(900),
      ];
      for (const title of titles) await store.create({ ...emma, title });
      const rows: [query: BookQuery, ids: number[]][] = [
        [{ title: titles[0] ?? '' }, [1]],
        [{ title: titles[1] ?? '' }, [2]],
        [{ q: start }, [3, 4]],
        [{ q: `${start}a` }, [4]],
        [{ q: `${start}a emma` }, []],
        [{ q: 'Ж'.repeat(100) }, [5]],
        [{ q: 'word b' }, [1]],
        [{ titleWords: `${start}a` }, [4]],
        [{ authorWords: start }, []],
        [{ sort: 'title' }, [4, 3, 1, 2, 5]],
        [{ sort: '-title' }, [5, 2, 1, 3, 4]],
      ];
      for (const [query, ids] of rows) {
        assertSame((await pages(query, 2)).flat(), ids, JSON.stringify(query));
        assert.equal(await store.count(query), ids.length);
      }
    });

    test('tells whole texts apart by letters and signs, among many that have the same words', async () => {
      const long = 'word '.repeat(300);
      const titles = [
        'C',
        'C++',
        'C#',
        'c',
        '?',
        '!',
        '',
        'राम',
        'रोम',
        'रमा',
        'กิน',
        'กัน',
        'は',
        'ば',
        'שָׁלוֹם',
        'שלום',
      ];
      titles.push(
        'كِتاب',
        'كتاب',
        'سأل',
        'سال',
        'Émma\ufe0f',
        'EMMA!',
        '50%',
        '50',
        long,
        `${long}+`,
        '\0!',
        '\0?',
      );
      const same = [
        ['C', 'c'],
        ['שָׁלוֹם', 'שלום'],
        ['كِتاب', 'كتاب'],
        ['Émma\ufe0f', 'EMMA!'],
      ];
      const fields = titles.map((title, i) => ({
        title,
        author: titles.at(-1 - i) ?? '',
        year: 1 + (i % 3),
      }));
      for (let round = 0; round < 2; round++) await store.createMany(fields.map(bookOf));
      const idsOf = (name: 'title' | 'author', text: string) => {
        const wanted = same.find((some) => some.includes(text)) ?? [text];
        return [0, fields.length].flatMap((before) =>
          fields.flatMap((each, i) => (wanted.includes(each[name]) ? before + i + 1 : [])),
        );
      };
      for (const text of titles) {
        const [query, ids] = [{ title: text }, idsOf('title', text)];
        const what = JSON.stringify(text.slice(0, 50));
        for (const limit of [1, 1000]) assertSame((await pages(query, limit)).flat(), ids, what);
        assertSame(new Set((await pages({ ...query, sort: '-year' }, 1)).flat()), new Set(ids), what);
        assert.equal(await store.count(query), ids.length, what);
        assert.equal((await store.statistics(query)).count, ids.length, what);
        const inYear2 = ids.filter((id) => fields[(id - 1) % fields.length]?.year === 2);
        assert.equal(await store.count({ ...query, yearTo: 2, yearFrom: 2 }), inYear2.length, what);
        assert.equal(await store.count({ author: text }), idsOf('author', text).length, what);
      }
      assert.equal(await store.count({ title: 'C', author: 'C' }), 0);
      assertSame((await pages({ title: 'c', author: '\0?' }, 9)).flat(), [1, 1 + fields.length]);
    });

    test('finds a book by each of its 3,000 words', async () => {
      const title = Array.from({ length: 3000 }, (_, i) => `w${i}x`).join(' ');
      await store.create({ ...emma, title });
      await store.create(emma);
      assertSame((await pages({ titleWords: 'w2999x', authorWords: 'jane' }, 1)).flat(), [1]);
      assert.equal(await store.count({ authorWords: 'w2999x' }), 0);
      for (const [q, ids] of [
        ['w0x', [1]],
        ['w2999x jane', [1]],
        ['w3000x', []],
        ['austen', [2, 1]],
      ] as const) {
        assertSame((await pages({ q }, 1)).flat(), ids, q);
        assert.equal(await store.count({ q }), ids.length, q);
      }
    });

    test('returns shorter pages of long books', async () => {
      for (let i = 0; i < 8; i++) await store.create({ ...emma, title: `a${'é'.repeat(400_000)}` });
      for (const sort of ['id', 'title', '-title'] as const) {
        const found = await pages({ q: 'jane', sort }, 8);
        assert.ok(found.every((page) => page.length < 8));
        const ids = [1, 2, 3, 4, 5, 6, 7, 8];
        assertSame(found.flat(), sort === '-title' ? ids.reverse() : ids);
      }
    });

    test('finds books restored before the store was opened', async () => {
      await store.create(emma);
      await store.close();
      await putBack([{ id: 7, ...emma, title: 'Emma, restored' }]);
      store = await open();
      const query: BookQuery = { q: 'emma', author: 'jane austen', sort: '-title' };
      assertSame((await pages(query, 1)).flat(), [7, 1]);
      assert.equal(await store.count(query), 2);
    });
  });
}
