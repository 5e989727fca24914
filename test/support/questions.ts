import assert from 'node:assert/strict';
import fc from 'fast-check';
import { positionOf, toCondition, type Book, type BookStore, type Position } from '../../src/index.ts';
import { answer, type Question } from './model.ts';

/** Words that are alike in all the ways there are, in several scripts; and what is none. */
const words = [
  ...[
    'a',
    'ab',
    'abc',
    'A',
    'Ab',
    'á',
    'A\u0301b',
    'ａｂ',
    'ⓐ',
    'z',
    '1',
    '12',
    '１２',
    '٣',
    '३',
    'x²',
    'ﬁ',
    'fi',
  ],
  ...[
    'Straße',
    'STRASSE',
    'STRAẞE',
    'Σίσυφος',
    'σισυφοσ',
    'ΟΔΟΣ',
    'οδός',
    'ısı',
    'ISI',
    'İs',
    'ſ',
    'Ǆ',
    'dz',
  ],
  ...[
    '红楼梦',
    '红',
    '한국',
    '한',
    'が',
    'か',
    '\u{10400}',
    '\u{10428}b',
    '\uffee',
    '\u{1f4da}',
    '\u200d',
    '-',
    "'",
  ],
  ...[
    '.*',
    '$gt',
    '\\',
    '^a',
    '*',
    '\u0000',
    '\u0301',
    '\u{1d400}',
    'b'.repeat(63),
    'b'.repeat(70),
    'é'.repeat(65),
  ],
];
const word = fc.constantFrom(...words);
const text = fc.oneof(
  { weight: 8, arbitrary: fc.array(word, { maxLength: 3 }).map((all) => all.join(' ')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('ж', 'ab '), word).map(([a, b]) => a.repeat(499) + b) },
);
const year = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom(-(2 ** 53 - 1), 2 ** 31, 2 ** 53 - 1));
const fields = fc.record({ title: text, author: text, year });
const patch = fc.record({ title: text, author: text, year }, { requiredKeys: [] });
const sorts = ['id', '-id', 'title', '-title', 'author', '-author', 'year', '-year'] as const;
const question: fc.Arbitrary<Question> = fc.record(
  { q: text, title: text, author: text, year, yearFrom: year, yearTo: year, sort: fc.constantFrom(...sorts) },
  { requiredKeys: [] },
);
/** Most questions about everything at once have no answer. */
const simpler = fc
  .tuple(question, fc.constantFrom('q', 'title', 'author', 'yearFrom', 'sort'))
  .map(([all, name]): Question => ({
    ...(all.sort && { sort: all.sort }),
    ...(all[name] !== undefined && { [name]: all[name] }),
  }));

export type Step =
  | { create: Omit<Book, 'id'>[] }
  | { update: number; patch: Partial<Omit<Book, 'id'>> }
  | { remove: number }
  | { settle: true }
  | { ask: Question; limit: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ create: fc.array(fields, { minLength: 1, maxLength: 12 }) }),
  fc.record({ update: fc.nat(), patch }),
  fc.record({ remove: fc.nat() }),
  fc.record({ settle: fc.constant(true as const) }),
  fc.record({ ask: simpler, limit: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ ask: question, limit: fc.integer({ min: 1, max: 5 }) }),
);

/** What happens to a catalogue: writes, and questions between them. */
export const history = fc.array(step, { minLength: 5, maxLength: 40 });

/** What a history uses of a store. */
export type Asked = Pick<BookStore, 'create' | 'update' | 'delete' | 'find' | 'count'>;

/**
 * Lets a history happen in an empty store, and in a model; fails where they differ.
 *
 * @param stores The same store, opened once or more; each step is another one's, in turn.
 * @param settle Waits for what the store does in the background.
 */
export async function compareHistory(
  stores: readonly [Asked, ...Asked[]],
  steps: readonly Step[],
  settle: () => Promise<void>,
): Promise<void> {
  const model = new Map<number, Book>();
  const pick = (n: number) => [...model.keys()][n % model.size] ?? 1;
  for (const [i, each] of steps.entries()) {
    const store = stores[i % stores.length] ?? stores[0];
    if ('create' in each) {
      const created = each.create.map((one, n) => (stores[n % stores.length] ?? store).create(one));
      for (const book of await Promise.all(created)) model.set(book.id, book);
    } else if ('update' in each) {
      const book = await store.update(pick(each.update), each.patch);
      if (book !== undefined) model.set(book.id, book);
    } else if ('settle' in each) {
      await settle();
    } else if ('remove' in each) {
      const id = pick(each.remove);
      await store.delete(id);
      model.delete(id);
    } else {
      await compareAnswer(store, model.values(), each.ask, each.limit);
    }
  }
}

/** Asks page by page, and for the count. */
export async function compareAnswer(
  store: Pick<Asked, 'find' | 'count'>,
  books: Iterable<Book>,
  query: Question,
  limit: number,
): Promise<void> {
  const expected = answer(books, query);
  const found: Book[] = [];
  let after: Position | undefined;
  for (let isLast = false; !isLast;) {
    const page = await store.find(query, { limit, after });
    found.push(...page.books);
    assert.ok(page.isLast || page.books.length === limit, 'a page that is not the last is full');
    isLast = page.isLast;
    const last = page.books.at(-1);
    if (last !== undefined) after = positionOf(toCondition(query), last);
  }
  assert.deepEqual(found, expected);
  assert.equal(await store.count(query), expected.length);
}
