import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  haveStarts,
  matchesEverything,
  matches,
  toFilter,
  type BookQuery,
} from '../../src/catalogue/query.ts';
import { storedBook } from '../support/books.ts';

const any = {
  words: [],
  fieldWords: {},
  texts: {},
  ranges: {},
  sort: 'id',
  isDescending: false,
};

describe('toFilter', () => {
  const table: [query: BookQuery, condition: object][] = [
    [{}, {}],
    [{ q: '' }, {}],
    [{ q: 'b A  b' }, { words: [['a'], ['b']] }],
    [{ q: 'a abc ab b' }, { words: [['abc'], ['b']] }],
    [{ q: '-1750 a' }, { words: [['-1750'], ['a']] }],
    [{ q: 'a −1750\t－１７５０' }, { words: [['-1750'], ['a']] }],
    [
      { q: '-01750 --5 -6x 7-8 - 9 (-10)' },
      { words: [['01750'], ['10'], ['5'], ['6x'], ['7'], ['8', '78'], ['9']] },
    ],
    [{ q: '-1750', titleWords: '1750' }, { fieldWords: { title: [['1750']] } }],
    [{ titleWords: '-1750' }, { fieldWords: { title: [['1750']] } }],
    [{ q: ' ', titleWords: '\t' }, {}],
    [{ titleWords: ' ! ' }, { fieldWords: { title: [[]] } }],
    [{ q: 'war & peace and E' }, { words: [['peace'], ['war']] }],
    [{ q: 'and' }, { words: [['and']] }],
    [{ q: '&' }, { words: [['&']] }],
    [{ q: '?!' }, { words: [[]] }],
    [{ q: 'Spider-Man' }, { words: [['man', 'spiderman'], ['spider']] }],
    [{ q: 'J. R. R.' }, { words: [['j'], ['r', 'jrr']] }],
    [{ q: 'Mueller Müller' }, { words: [['mueller'], ['muller', 'mueller']] }],
    [
      { titleWords: 'b A  ab', authorWords: 'É' },
      { fieldWords: { title: [['ab'], ['b']], author: [['e']] } },
    ],
    [
      { q: 'a c em', titleWords: 'abc', authorWords: 'c' },
      { words: [['em']], fieldWords: { title: [['abc']], author: [['c']] } },
    ],
    [{ title: '' }, { texts: { title: { text: '', folded: '', spelling: '' } } }],
    [
      { title: 'Émma!', author: 'X-Y' },
      {
        texts: {
          title: { text: 'Émma!', folded: 'emma', spelling: 'EMMA' },
          author: { text: 'X-Y', folded: 'x y', spelling: 'XY' },
        },
      },
    ],
    [{ year: 5 }, { ranges: { year: { from: 5, to: 5 } } }],
    [{ year: 5, yearFrom: 6 }, { ranges: { year: { from: 6, to: 5 } } }],
    [{ year: 5, yearTo: 4 }, { ranges: { year: { from: 5, to: 4 } } }],
    [{ yearFrom: 1, yearTo: 2 }, { ranges: { year: { from: 1, to: 2 } } }],
    [{ sort: '-title' }, { sort: 'title', isDescending: true }],
  ];
  for (const [query, condition] of table) {
    test(`of ${JSON.stringify(query)}`, () => {
      const filter = toFilter(query);
      assert.deepEqual({ ...filter, best: undefined }, { ...any, best: undefined, ...condition });
    });
  }

  const ranked: [query: BookQuery, text: string | undefined][] = [
    [{ q: 'jane emma' }, 'jane emma'],
    [{ titleWords: 'emma', authorWords: 'jane' }, 'emma jane'],
    [{ q: 'jane', sort: 'best', titleWords: ' ' }, 'jane'],
    [{}, undefined],
    [{ q: ' ', titleWords: '\t' }, undefined],
    [{ q: 'jane', sort: 'title' }, undefined],
    [{ title: 'emma' }, undefined],
  ];
  for (const [query, text] of ranked)
    test(`ranks the books for ${JSON.stringify(query)}: ${text ?? 'no'}`, () => {
      const { best, sort } = toFilter(query);
      assert.equal(best?.text.replace(/ +/, ' '), text);
      if (query.sort === undefined) assert.equal(sort, 'id');
    });

  test('matchesEverything recognizes filters that exclude no book', () => {
    for (const query of [{}, { q: ' ' }, { titleWords: '' }, { sort: '-year' }] as const)
      assert.ok(matchesEverything(toFilter(query)));
    for (const query of [
      { q: 'a' },
      { q: '!' },
      { authorWords: 'a' },
      { title: '' },
      { author: '' },
      { year: 0 },
      { yearTo: 0 },
    ])
      assert.ok(!matchesEverything(toFilter(query)));
  });
});

describe('matches', () => {
  const book = storedBook(1, { title: 'Die Straße nach Ys', author: 'José “Pepe” Ortiz', year: -5 });
  const table: [query: BookQuery, isAmong: boolean][] = [
    [{}, true],
    [{ q: 'strasse' }, true],
    [{ q: 'STRASS jos' }, true],
    [{ q: 'trasse' }, false],
    [{ q: 'die other' }, false],
    [{ q: 'die -5' }, true],
    [{ q: '5' }, false],
    [{ q: 'die-5' }, false],
    [{ q: '-6' }, false],
    [{ q: 'josé-pepe' }, true],
    [{ titleWords: 'ys STRASS' }, true],
    [{ titleWords: 'jos' }, false],
    [{ authorWords: 'jos pepe' }, true],
    [{ authorWords: 'ose' }, false],
    [{ titleWords: 'ys', authorWords: 'ortiz', q: 'jose die' }, true],
    [{ titleWords: 'ortiz', authorWords: 'ortiz' }, false],
    [{ title: 'die strasse, nach ys' }, true],
    [{ title: 'die strasse' }, false],
    [{ author: 'jose pepe ortiz' }, true],
    [{ author: '' }, false],
    [{ year: -5 }, true],
    [{ year: 5 }, false],
    [{ yearFrom: -5, yearTo: -5 }, true],
    [{ yearFrom: -4 }, false],
    [{ yearTo: -6 }, false],
    [{ yearTo: -6, q: 'die' }, false],
  ];
  for (const [query, isAmong] of table) {
    test(`${JSON.stringify(query)}: ${isAmong}`, () => {
      assert.equal(matches(toFilter(query), book), isAmong);
    });
  }
});

describe('some words begin with each term', () => {
  const few = ['emma', 'jane', 'austen'];
  const many = [...few, ...Array.from({ length: 11_000 }, (_, i) => `word${i}`)];
  for (const present of [few, many])
    test(`of ${present.length} words`, () => {
      const has = (...terms: string[][]) => haveStarts([...present], terms);
      assert.ok(has(['em']) && has(['em'], ['jane']) && has(['x', 'aus']) && has());
      assert.ok(!has(['x']) && !has(['em'], ['x']) && !has(['mma']) && !has([]) && !has(['emmas']));
    });
});

test('a negative number of a query is the year of a book, or a word without its sign', () => {
  const book = storedBook(1, { title: 'Route 66', author: 'X', year: -5 });
  const table: [q: string, isAmong: boolean][] = [
    ['-5 route', true],
    ['-66', true],
    ['5', false],
    ['-7', false],
  ];
  for (const [q, isAmong] of table) assert.equal(matches(toFilter({ q }), book), isAmong, q);
});
