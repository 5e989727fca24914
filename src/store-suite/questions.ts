import assert from 'node:assert/strict';
import { endOf } from '../store/contract/page.ts';
import { assertSame, bookOf, emma } from './helpers.ts';
import type {
  AuthorCount,
  BookQuery,
  CompleteStore,
  Correction,
  Statistics,
  SuggestedField,
  Suggestion,
} from '../store.ts';
import type { SuiteContext } from './store-suite.ts';

/** The contract of `statistics`, `suggest`, `authors` and `corrections`. */
export function testQuestions({ runner, store: current, open }: SuiteContext): void {
  const { beforeEach, describe, test } = runner;
  const catalogue: [title: string, author: string, year: number][] = [
    ['Emma', 'Jane Austen', 1815],
    ['Pride and Prejudice', 'Jane Austen', 1813],
    ['Persuasion', 'JANE AUSTEN', 1817],
    ['The Hobbit', 'J.R.R. Tolkien', 1937],
    ['The Hobbit', 'J. R. R. Tolkien', 0],
    ['The Silmarillion', 'J. R. R. Tolkien', 1977],
    ['Jane Eyre', 'Charlotte Brontë', 1847],
    ['Gilgamesh', '', -1750],
    ['Zhuangzi', '???', -1],
    ['Преступление и наказание', 'Фёдор Достоевский', 1866],
    ['Brontë', 'Janet', 9],
  ];
  const fill = async (store: CompleteStore) => {
    for (const [title, author, year] of catalogue) await store.create(bookOf({ title, author, year }));
  };
  let store: CompleteStore;
  beforeEach(() => {
    store = current();
  });

  describe('statistics', () => {
    const nobody = { first: null, last: null, without: 0 };
    const table: [query: BookQuery, expected: Partial<Statistics>][] = [
      [
        {},
        {
          count: 11,
          years: { first: -1750, last: 1977, without: 1 },
          decades: [
            ...[-1750, -10, 0].map((from) => ({ from, count: 1 })),
            { from: 1810, count: 3 },
            ...[1840, 1860, 1930, 1970].map((from) => ({ from, count: 1 })),
          ],
          authors: [
            { author: 'J. R. R. Tolkien', count: 3 },
            { author: 'Jane Austen', count: 3 },
            { author: 'Charlotte Brontë', count: 1 },
            { author: 'Janet', count: 1 },
            { author: 'Фёдор Достоевский', count: 1 },
          ],
          estimated: false,
        },
      ],
      [
        { q: 'hobbit', sort: '-year' },
        {
          count: 2,
          years: { first: 1937, last: 1937, without: 1 },
          decades: [{ from: 1930, count: 1 }],
          authors: [{ author: 'J. R. R. Tolkien', count: 2 }],
        },
      ],
      [
        { authorWords: 'jan', yearFrom: 1815 },
        { count: 2, decades: [{ from: 1810, count: 2 }] },
      ],
      [
        { author: 'jane austen', title: 'emma' },
        { count: 1, authors: [{ author: 'Jane Austen', count: 1 }] },
      ],
      [{ yearTo: 0 }, { count: 3, authors: [{ author: 'J. R. R. Tolkien', count: 1 }] }],
      [{ year: 0 }, { count: 1, years: { ...nobody, without: 1 }, decades: [] }],
      [{ q: 'nothing' }, { count: 0, years: nobody, decades: [], authors: [] }],
    ];

    test('of a few books are exact: they summarize the matching books', async () => {
      await fill(store);
      for (const [query, expected] of table) {
        const found = await store.statistics(query);
        assertSame({ ...found, ...expected }, found, JSON.stringify(query));
        assert.equal(found.count, await store.count(query), JSON.stringify(query));
        assert.equal(found.estimated, false, JSON.stringify(query));
      }
    });

    test('of an empty store are empty', async () => {
      assertSame(await store.statistics({}), {
        count: 0,
        years: nobody,
        decades: [],
        authors: [],
        estimated: false,
      });
    });

    test('list the 10 most frequent authors, and decades of any integer', async () => {
      const years = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 5, -5];
      for (let i = 1; i <= 12; i++)
        for (let n = 0; n < Math.min(i, 4); n++)
          await store.create({
            ...emma,
            author: `Author ${String(i).padStart(2, '0')}`,
            year: years[n] ?? 0,
          });
      const { authors, decades, years: summary } = await store.statistics({});
      assertSame(
        authors,
        ['04', '05', '06', '07', '08', '09', '10', '11', '12', '03'].map((each, i) => ({
          author: `Author ${each}`,
          count: i < 9 ? 4 : 3,
        })),
      );
      assertSame(decades, [
        { from: Number.MIN_SAFE_INTEGER - 9, count: 11 },
        { from: -10, count: 9 },
        { from: 0, count: 10 },
        { from: Number.MAX_SAFE_INTEGER - 1, count: 12 },
      ]);
      assertSame(summary, { first: Number.MIN_SAFE_INTEGER, last: Number.MAX_SAFE_INTEGER, without: 0 });
    });

    test('and suggestions cover words that are longer than an index holds', async () => {
      const author = `${'é'.repeat(70)}b`;
      await store.create({ ...emma, author });
      await store.create({ ...emma, author: `${'é'.repeat(70)}c` });
      const words = `${'E'.repeat(70)}B`;
      assertSame((await store.statistics({ authorWords: words })).authors, [{ author, count: 1 }]);
      assertSame(await store.suggest('author', words, { limit: 10 }), [{ value: author, count: 1 }]);
    });
  });

  describe('suggest', () => {
    const table: [name: SuggestedField, text: string, expected: string][] = [
      ['author', 'jan', 'Jane Austen 3, Janet 1'],
      ['author', 'AUST, jané', 'Jane Austen 3'],
      ['author', 'j r', 'J. R. R. Tolkien 3'],
      ['author', 'bront', 'Charlotte Brontë 1'],
      ['author', 'дост', 'Фёдор Достоевский 1'],
      ['author', 'emma', ''],
      ['title', 'the', 'The Hobbit 2, The Silmarillion 1'],
      ['title', 'jan', 'Jane Eyre 1'],
      ['title', 'austen', ''],
      ['author', '', 'J. R. R. Tolkien 3, Jane Austen 3, Charlotte Brontë 1, Janet 1, Фёдор Достоевский 1'],
      ['author', ' ', 'J. R. R. Tolkien 3, Jane Austen 3, Charlotte Brontë 1, Janet 1, Фёдор Достоевский 1'],
      ['author', '?!', ''],
    ];
    const format = (all: readonly Suggestion[]) =>
      all.map(({ value, count }) => `${value} ${count}`).join(', ');

    test('returns the values with these words, most frequent first', async () => {
      await fill(store);
      for (const [name, text, expected] of table)
        assert.equal(format(await store.suggest(name, text, { limit: 10 })), expected, `${name}: ${text}`);
      assert.equal(format(await store.suggest('author', 'j', { limit: 1 })), 'J. R. R. Tolkien 3');
      assert.equal(format(await store.suggest('title', '', { limit: 1 })), 'The Hobbit 2');
    });

    test('sees every acknowledged write, of another open store too', async () => {
      const other = await open();
      for (let id = 1; id <= 5; id++) {
        await store.create({ ...emma, author: `Old ${id}` });
        assertSame(await other.suggest('author', 'old', { limit: 5 }), [{ value: `Old ${id}`, count: 1 }]);
        await store.update(id, { author: 'New' });
        assertSame(await other.suggest('author', 'old', { limit: 5 }), []);
        assertSame(await other.suggest('author', 'n', { limit: 5 }), [{ value: 'New', count: 1 }]);
        assertSame((await other.statistics({})).authors, [{ author: 'New', count: 1 }]);
        await store.delete(id);
        assertSame(await other.suggest('author', '', { limit: 5 }), []);
        assert.equal((await other.statistics({})).count, 0);
      }
    });

    test('rejects another field with advice', async () => {
      for (const name of ['year', 'id', 'author; --', undefined])
        await assert.rejects(store.suggest(name as SuggestedField, 'a', { limit: 5 }), {
          name: 'ShelflistError',
          code: 'invalid_query',
          message: /author/,
        });
    });
  });

  describe('authors', () => {
    const readAuthors = async (from: CompleteStore) => {
      const all: AuthorCount[] = [];
      for await (const some of from.authors()) all.push(...some);
      return all;
    };
    const format = (all: readonly AuthorCount[]) => all.map(({ author, count }) => `${author} ${count}`);

    test('are all spellings with the numbers of their books, by author, without empty ones', async () => {
      await fill(store);
      const found = format(await readAuthors(store));
      // The spellings of one author follow one another in any order.
      assert.deepEqual(
        [...found.slice(0, 1), ...found.slice(1, 3).sort(), ...found.slice(3, 5).sort(), ...found.slice(5)],
        [
          'Charlotte Brontë 1',
          'J. R. R. Tolkien 2',
          'J.R.R. Tolkien 1',
          'JANE AUSTEN 1',
          'Jane Austen 2',
          'Janet 1',
          'Фёдор Достоевский 1',
        ],
      );
    });

    test('of many books are each there once, whatever is read at a time', async () => {
      const name = (i: number) => `Author ${String(i).padStart(5, '0')}`;
      // One author has more books than are read at a time, in two spellings.
      const authors = Array.from({ length: 12_000 }, (_, i) =>
        i % 2 === 0 ? name(i) : i % 4 === 1 ? 'Author 04001' : 'AUTHOR 04001',
      );
      for (let start = 0; start < authors.length; start += 1000)
        await store.createMany(authors.slice(start, start + 1000).map((author) => ({ ...emma, author })));
      const found = format(await readAuthors(store));
      const expected = Array.from({ length: 6000 }, (_, i) => `${name(2 * i)} 1`);
      expected.splice(2001, 0, 'AUTHOR 04001 3000', 'Author 04001 3000');
      assert.deepEqual(
        [...found.slice(0, 2001), ...found.slice(2001, 2003).sort(), ...found.slice(2003)],
        expected,
      );
    });

    test('have the key instead of a spelling of more than 4000 bytes', async () => {
      const [short, long] = ['!'.repeat(3996), '!'.repeat(3997)];
      const authors = [
        'Anna',
        `Anna${short}`,
        `Anna${long}`,
        `Anna${long} Smith`,
        '日'.repeat(1333),
        '日'.repeat(1334),
      ];
      for (const author of authors) await store.create({ ...emma, author });
      const found = (await readAuthors(store)).map(({ author, count }) => [author, count] as const);
      const expected = [
        ['Anna', 1],
        [`Anna${short}`, 1],
        ['anna', 1],
        ['anna smith', 1],
        ['日'.repeat(1333), 1],
        ['日'.repeat(333), 1],
      ] as const;
      const sort = (all: readonly (readonly [string, number])[]) =>
        all.toSorted(([a], [b]) => (a < b ? -1 : 1));
      assert.deepEqual(sort(found), sort(expected));
    });

    test('see every acknowledged write, of another open store too', async () => {
      const other = await open();
      await store.create({ ...emma, author: 'Old' });
      assert.deepEqual(format(await readAuthors(other)), ['Old 1']);
      await store.update(1, { author: 'New' });
      assert.deepEqual(format(await readAuthors(other)), ['New 1']);
      await store.delete(1);
      assert.deepEqual(await readAuthors(other), []);
    });
  });

  describe('corrections', () => {
    const table: [query: BookQuery, expected: Correction[]][] = [
      [{ q: 'tolkein hobit' }, [{ q: 'tolkien hobbit' }]],
      [{ q: 'Persausion' }, [{ q: 'persuasion' }]],
      [{ q: 'jane asten' }, [{ q: 'jane austen' }]],
      [{ q: 'enma' }, [{ q: 'emma' }]],
      [{ q: 'austenn' }, [{ q: 'austen' }]],
      [{ q: 'достоевскии наказанее' }, [{ q: 'достоевскии наказание' }]],
      [{ titleWords: 'asten' }, []],
      [{ authorWords: 'Asten' }, [{ authorWords: 'austen' }]],
      [
        { titleWords: 'Hobbit!', authorWords: 'tolkein' },
        [{ titleWords: 'Hobbit!', authorWords: 'tolkien' }],
      ],
      [{ q: 'hobit', yearFrom: 1950 }, []],
      [{ q: 'hobit', yearTo: 1950 }, [{ q: 'hobbit' }]],
      [{ q: 'janee hobbit' }, []],
      [{ q: 'jane eyra' }, [{ q: 'jane eyre' }]],
      // Two errors in a word of seven letters or more.
      [{ q: 'tolkain' }, [{ q: 'tolkien' }]],
      [{ q: 'presuassion' }, [{ q: 'persuasion' }]],
      [{ q: 'jane ustne' }, []],
      // Words joined and split.
      [{ q: 'Janeausten' }, [{ q: 'jane austen' }]],
      [{ q: 'hobb it tolkien' }, [{ q: 'hobbit tolkien' }]],
      [{ titleWords: 'silmaril li' }, [{ titleWords: 'silmarilli' }]],
      [{ titleWords: 'gil', authorWords: 'gamesh' }, []],
      // The last word is half typed, and wrong.
      [{ q: 'jane asut' }, [{ q: 'jane aust' }]],
      [{ q: 'asut jane' }, []],
      // The other words keep their spelling.
      [{ q: 'Hobbit; tolkein' }, [{ q: 'Hobbit; tolkien' }]],
      [{ q: 'Pride & prejudise' }, [{ q: 'Pride & prejudice' }]],
      // Every word occurs, but not in one book.
      [{ q: 'janet austen' }, [{ q: 'jane austen' }]],
      // These find something.
      [{ q: 'hobbit' }, []],
      [{ q: 'hob' }, []],
      [{}, []],
      // No word, too short, too different.
      [{ year: 5 }, []],
      [{ q: 'xy' }, []],
      [{ q: 'hbit' }, []],
      [{ q: `${'x'.repeat(70)} hobit` }, []],
      [{ q: 'a b c d e f g h hobit' }, []],
    ];

    test('have words that some book has instead of unknown ones', async () => {
      await fill(store);
      for (const [query, expected] of table) {
        const found = await store.corrections(query, { limit: 3 });
        assertSame(found, expected, JSON.stringify(query));
        for (const each of found) assert.ok((await store.count({ ...query, ...each })) > 0);
      }
    });

    test('have the fewest errors first; then whole words; then the same first letter; then the most books', async () => {
      for (const title of ['pottera', 'botter', 'poster', 'poster', 'potters'])
        await store.create({ ...emma, title, author: '' });
      const find = async (q: string) => (await store.corrections({ q }, { limit: 9 })).map((each) => each.q);
      assertSame(await find('pottter'), ['potter', 'poster', 'botter']);
      assertSame(await find('potterx'), ['pottera', 'potters', 'poster', 'botter']);
    });

    test('see every acknowledged write, of another open store too', async () => {
      const other = await open();
      const find = async () => (await other.corrections({ q: 'sandition' }, { limit: 3 })).map(({ q }) => q);
      assertSame(await find(), []);
      await store.create({ ...emma, title: 'Sanditon' });
      assertSame(await find(), ['sanditon']);
      await store.update(1, { title: 'Sandit' });
      assertSame(await find(), []);
      await store.update(1, { title: 'Sanditon' });
      assertSame(await find(), ['sanditon']);
      await store.delete(1);
      assertSame(await find(), []);
    });

    test('are the most frequent words, up to the limit, and never those of deleted books', async () => {
      for (const title of ['care', 'case', 'case', 'cave', 'case', 'cave', 'gaze', 'cake'])
        await store.create({ ...emma, title });
      const find = async (limit: number) =>
        (await store.corrections({ titleWords: 'caze' }, { limit })).map(({ titleWords }) => titleWords);
      assertSame(await find(3), ['case', 'cave', 'cake']);
      assertSame(await find(1), ['case']);
      for (const id of [2, 3, 5]) await store.delete(id);
      assertSame(await find(9), ['cave', 'cake', 'care', 'gaze']);
    });
  });
  describe('parts of words', () => {
    const books = [
      ['Der Zauberlehrling', 'Goethe'],
      ['Zauberlehrlinge', 'Anna Lehr'],
      ['Lehrjahre', 'Goethe'],
      ['Don 1984', 'Zauberer'],
    ] as const;
    const table: [query: BookQuery, ids: number[], match: 'parts' | undefined][] = [
      [{ q: 'lehrling' }, [1, 2], 'parts'],
      [{ q: 'LEHRLING goethe' }, [1], 'parts'],
      [{ q: 'lehrling', sort: '-id' }, [2, 1], 'parts'],
      [{ titleWords: 'auber' }, [1, 2], 'parts'],
      [{ authorWords: 'auber' }, [4], 'parts'],
      // No title begins with it; an author does.
      [{ titleWords: 'anna' }, [], undefined],
      [{ authorWords: 'lehrling' }, [], undefined],
      [{ q: 'lehrling', year: 5 }, [], undefined],
      [{ q: 'lehrling jahre' }, [], undefined],
      // Some word begins so.
      [{ q: 'lehr' }, [2, 3], undefined],
      [{ q: 'lehr anna goethe' }, [], undefined],
      // Too short, or no letters.
      [{ q: 'li' }, [], undefined],
      [{ q: '984' }, [], undefined],
    ];
    const fillShelf = async () => {
      for (const [title, author] of books) await store.create({ ...emma, title, author });
    };

    test('are found where no word of a book begins with a word of the query, and are counted alike', async () => {
      await fillShelf();
      for (const [query, ids, match] of table) {
        const page = await store.find({ sort: 'id', ...query }, { limit: 9 });
        const label = JSON.stringify(query);
        assertSame(
          page.books.map(({ id }) => id),
          ids,
          label,
        );
        assert.equal(page.match, match, label);
        assert.equal(await store.count(query), ids.length, label);
        assert.equal((await store.statistics(query)).count, ids.length, label);
        if (ids.length > 0) assertSame(await store.corrections(query, { limit: 3 }), [], label);
      }
    });

    test('are found on every page, until a word begins so', async () => {
      await fillShelf();
      const query: BookQuery = { q: 'lehrling', sort: 'id' };
      const first = await store.find(query, { limit: 1 });
      assert.equal(first.isLast, false);
      const next = await store.find(query, { limit: 9, after: endOf(query, first) });
      assertSame([first.match, next.match, next.books.map(({ id }) => id)], ['parts', 'parts', [2]]);
      const { id } = await store.create({ ...emma, title: 'Lehrlinge' });
      const page = await store.find({ sort: 'id', ...query }, { limit: 9 });
      assertSame([page.match, page.books.map((each) => each.id)], [undefined, [id]]);
    });
  });
}
