import assert from 'node:assert/strict';
import { changeRules, defaultRules } from '../../../src/catalogue/sort-keys.ts';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { toFilter, type KeysetPosition } from '../../../src/store.ts';
import type { Book, BookFields, BookQuery } from '../../../src/index.ts';
import { endOf } from '../../../src/store/contract/page.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { prepareSchema } from '../../../src/store/sqlite/schema.ts';
import { queries } from '../../../src/store/sqlite/queries.ts';
import { Reader } from '../../../src/store/sqlite/reading.ts';
import { WriteQueue } from '../../../src/store/sqlite/write-queue.ts';
import { Writer } from '../../../src/store/sqlite/writer.ts';
import { bookOf } from '../../support/books.ts';
import { answer } from '../model.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';
import { sized } from '../../support/size.ts';

/** Enough for every plan, also for the walk with more matches than are collected before it. */
const count = sized({ short: 2000, long: 12_000 });
const long = 'é'.repeat(70);

/** Words of every frequency; `last` occurs only in books that come last by title, author, year and id. */
function fieldsOf(i: number): BookFields {
  const words = ['common', i % 3 === 0 ? 'third' : '', i % 500 === 0 ? 'rare' : ''];
  const isLast = i >= count - 1500;
  return bookOf({
    title: `${isLast ? 'z last' : 'a'}${i % 97} ${words.join(' ')} ${i % 700 === 0 ? `${long}${i % 2}` : ''}`,
    author: `${isLast ? 'Żuławski' : 'Austen'} ${i % 13}`,
    year: isLast ? 2000 + (i % 7) : i % 400,
  });
}

const questions: [plan: string, question: BookQuery][] = [
  ['no filter', {}],
  ['few matches of the full-text index', { q: 'rare' }],
  ['many matches of the full-text index', { q: 'common' }],
  ['a third of all books', { q: 'third common' }],
  ['few of one index among many of another', { q: 'common', author: 'austen 3', yearFrom: 100, yearTo: 103 }],
  ['many by each index', { q: 'common third', yearFrom: 10 }],
  ['a walk with its matches at the very end', { q: 'last common' }],
  ['a walk with the matches of a filter at the very end', { yearFrom: 2000 }],
  ['no match of a word', { q: 'nowhere' }],
  ['no match of two common words together', { q: 'zula austen' }],
  ['a title', { title: 'A0 COMMON' }],
  ['an author', { author: 'AUSTEN, 7' }],
  ['a word longer than the index holds', { q: `${long}1` }],
  ['the beginning of words longer than the index holds', { q: long }],
  [
    'more words than the index is searched for',
    { q: `common third ${Array.from({ length: 20 }, (_, i) => 'common'.slice(0, 1 + (i % 6))).join(' ')}` },
  ],
  ['years', { yearFrom: 390, yearTo: 2001 }],
  ['years that exclude each other', { yearFrom: 3, yearTo: 2 }],
  ['a number that is a year', { q: '2003' }],
  ['a number in titles, authors and years', { q: '12' }],
  ['a frequent word and a year', { q: 'common 2003' }],
  ['a rare word and a year', { q: 'rare 100' }],
  ['a negative number, numbers and words', { q: '-3 a3 austen 1 12' }],
  ['more numbers than are looked up', { q: '1 3 7 9' }],
  ['a number, years and an author', { q: '7', author: 'austen 7', yearFrom: 7, yearTo: 207 }],
];
/** First words of some titles. */
const articles = ['a17', 'a3', 'z'];
const orders: Required<Pick<BookQuery, 'sort'>>[] = (
  ['id', '-id', 'title', '-title', 'author', '-author', 'year', '-year'] as const
).map((sort) => ({ sort }));

for (const ignored of [[], articles]) {
  describe(`each query plan gives the same answer as simple code, with ${count} books; ${ignored.length} articles`, () => {
    const ends: (() => unknown)[] = [];
    const scope: Scope = { after: (end) => ends.push(end) };
    const books: Book[] = [];
    let reader: Reader;
    let ordered: number[][];

    before(async () => {
      const folder = await temporaryFolder(scope);
      const db = connect(join(folder, 'shelflist.db'), { isNew: true });
      prepareSchema(db);
      const queue = new WriteQueue(join(folder, 'queue'), () => false);
      const writer = new Writer(db, queue, { historyDays: 1, historyMaxBytes: 1e9 });
      writer.sortBy({ sortArticles: ignored });
      while (writer.backfill() > 0);
      const written = writer.write(
        Array.from({ length: count }, (_, i) => ({ kind: 'create', fields: fieldsOf(i) })),
      );
      for (const each of written) if ('book' in each && each.book !== undefined) books.push(each.book);
      reader = new Reader(db);
      ordered = orders.map((order) =>
        answer(books, order, changeRules(defaultRules, { sortArticles: ignored })).map(({ id }) => id),
      );
      scope.after(() => {
        db.close();
        queue.close();
      });
    });
    after(async () => {
      for (const end of ends.reverse()) await end();
    });

    for (const [plan, question] of questions) {
      test(plan, () => {
        const matching = new Set(answer(books, question).map(({ id }) => id));
        assert.equal(queries.count(reader, toFilter(question)), matching.size);
        for (const [i, order] of orders.entries()) {
          const filter = toFilter({ ...question, ...order });
          const expected = (ordered[i] ?? []).filter((id) => matching.has(id));
          const what = order.sort;
          for (const limit of [1, 20, 1000]) {
            const found: number[] = [];
            let position: KeysetPosition | undefined;
            let isLast = false;
            for (let page = 0; page < 3 && !isLast; page++) {
              const answered = queries.find(reader, filter, limit, position);
              found.push(...answered.books.map(({ id }) => id));
              ({ isLast } = answered);
              position = endOf({ ...question, ...order }, answered);
            }
            assert.deepEqual(found, expected.slice(0, 3 * limit), `${what}, pages of ${limit}`);
            assert.equal(isLast, expected.length <= 3 * limit, `${what}, pages of ${limit}`);
          }
        }
      });
    }
  });
}
