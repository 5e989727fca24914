import fc from 'fast-check';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test, type TestContext } from 'node:test';
import {
  indexedIntegers,
  indexedTexts,
  mapFields,
  searchedFields,
  suggestedFields,
} from '../../src/catalogue/fields.ts';
import { endOf } from '../../src/store/contract/page.ts';
import { sorts } from '../../src/catalogue/sorts.ts';
import { changeRules, defaultRules } from '../../src/catalogue/sort-keys.ts';
import { openStore, type Book, type BookFields, type BookPatch, type BookQuery } from '../../src/index.ts';
import type { CompleteStore, KeysetPosition } from '../../src/store.ts';
import { foldText } from '../../src/catalogue/fold.ts';
import { groupSame } from '../../src/store/questions/duplicates.ts';

import { anyBook, anyPatch } from '../support/arbitraries.ts';
import { modelOf } from './model.ts';
import { indexed, openDriver } from '../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../support/mongod.ts';
import { openElsewhere } from './remote-store.ts';
import { withinTime } from '../support/size.ts';
import { temporaryFolder } from '../support/temp.ts';

interface Place {
  url: string;
  /** Waits for the background work of the store. Default: no wait. */
  settle?: () => Promise<void>;
  /** The number of other processes that have the store open. */
  others?: number;
}

/** Compares each store with a simple model, for at most this time each. */
export async function testHistories({
  numRuns,
  limitMs,
}: {
  numRuns: number;
  limitMs: number;
}): Promise<void> {
  const mongod = await startMongod();
  after(() => ('skip' in mongod ? undefined : mongod.stop()));

  async function mongo(t: TestContext): Promise<Place> {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    return { url, settle: () => indexed(db) };
  }

  const folder = async (t: TestContext) => `file:${await temporaryFolder(t)}`;

  const stores: [name: string, place: (t: TestContext) => Promise<Place>, skip?: string | false][] = [
    ['file:', async (t) => ({ url: await folder(t) })],
    ['file:, opened by three processes', async (t) => ({ url: await folder(t), others: 2 })],
    ['memory:', () => Promise.resolve({ url: `memory:${randomUUID()}` })],
    ['MongoDB', mongo, 'skip' in mongod && mongod.skip],
  ];

  describe('a store and a simple model give the same answers after random histories', () => {
    for (const [name, placeOf, skip = false] of stores) {
      test(name, { skip }, async (t) => {
        const { url, settle = () => Promise.resolve(), others = 0 } = await placeOf(t);
        const store = await openStore(url, { sortArticles });
        t.after(() => store.close());
        const opened: Asked[] = [];
        for (let i = 0; i < others; i++) opened.push((await openElsewhere(t, url)).store);
        await fc.assert(
          fc.asyncProperty(
            history,
            withinTime(limitMs, async (steps) => {
              await empty(store);
              await compareHistory([store, ...opened], steps, settle);
            }),
          ),
          { numRuns },
        );
      });
    }
  });
}

async function empty(store: CompleteStore): Promise<void> {
  for await (const page of store.iterate()) await Promise.all(page.map(({ id }) => store.delete(id)));
}

/** Words that are similar in many ways, in several scripts; and texts without words. */
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
/** Apostrophes, base letters, scripts without spaces, and prefixes. */
const moreWords = [
  ...["O'Brien", 'O’Brien', 'obrien', 'brien', "o'", "'n'", "a''b", 'l·l', 'ʼab', 'qurʾān'],
  ...['Nesbø', 'nesbo', 'Łódź', 'lodz', 'Æsop', 'aesop', 'þ', 'th'],
  ...[
    '村上春樹',
    '春樹',
    '上',
    'ノルウェイの森',
    '森',
    'ー森',
    '森ー',
    '春a',
    "春'樹",
    '戦争と平和'.repeat(7),
  ],
  ...['สันติภาพ', 'ภาพ', 'สงครามและสันติภาพ', 'ລາວ', 'ខ្មែរ', 'မြန်မာ'],
  ...['המלחמה', 'מלחמה', 'ובמלחמה', 'בית', 'والسلام', 'سلام', 'للكتاب', 'كتاب', 'ال'],
];
const word = fc.oneof(fc.constantFrom(...words), fc.constantFrom(...moreWords));
const text = fc.oneof(
  { weight: 8, arbitrary: fc.array(word, { maxLength: 3 }).map((all) => all.join(' ')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('ж', 'ab '), word).map(([a, b]) => a.repeat(499) + b) },
);
const integer = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.constantFrom(-(2 ** 53 - 1), 2 ** 31, 2 ** 53 - 1),
);
const book = anyBook({ text, integer });
const patch = anyPatch({ text, integer });
const ranges = indexedIntegers.flatMap((name) => [`${name}From`, `${name}To`] as const);
const fieldWords = searchedFields.map((name) => `${name}Words` as const);
/** Those of every store here: in the texts, too. */
const sortArticles = [
  'a',
  'Á',
  '1',
  'strasse',
  'b'.repeat(63),
  'z',
  'ab',
  'fi',
  '红',
  "o'",
  'l·'.slice(0, 1),
];
const question = fc.record(
  {
    q: text,
    ...Object.fromEntries(fieldWords.map((name) => [name, text])),
    ...mapFields(indexedTexts, () => text),
    ...mapFields(indexedIntegers, () => integer),
    ...Object.fromEntries(ranges.map((name) => [name, integer])),
    sort: fc.constantFrom(...sorts),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<BookQuery>;
const mainNames = [
  'q',
  ...fieldWords,
  ...indexedTexts,
  ...ranges.filter((name) => name.endsWith('From')),
  'sort',
] as const;
/** Most queries with every member match nothing. */
const simpler = fc.tuple(question, fc.constantFrom(...mainNames)).map(([all, name]): BookQuery => ({
  ...(all.sort && { sort: all.sort }),
  ...(all[name] !== undefined && { [name]: all[name] }),
}));

type Step =
  | { create: BookFields[] }
  | { update: number; patch: BookPatch }
  | { remove: number }
  | { settle: true }
  | { ask: BookQuery; limit: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ create: fc.array(book, { minLength: 1, maxLength: 12 }) }),
  fc.record({ update: fc.nat(), patch }),
  fc.record({ remove: fc.nat() }),
  fc.record({ settle: fc.constant(true as const) }),
  fc.record({ ask: simpler, limit: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ ask: question, limit: fc.integer({ min: 1, max: 5 }) }),
);

/** The steps of a history: writes, and queries between them. */
const history = fc.array(step, { minLength: 5, maxLength: 40 });

/** The part of a store that a history uses. */
type Asked = Pick<
  CompleteStore,
  'create' | 'update' | 'delete' | 'find' | 'count' | 'statistics' | 'suggest' | 'corrections'
>;

type Whole = Asked & Pick<CompleteStore, 'authors' | 'duplicateCandidates'>;

/**
 * Runs a history on an empty store and on a model; fails where they differ.
 *
 * @param stores The same store, opened once or more. The steps use them in turn.
 * @param settle Waits for the background work of the store.
 */
async function compareHistory(
  stores: readonly [Whole, ...Asked[]],
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
      await compareSummaries(store, model.values(), each.ask);
      await compareCollections(stores[0], model.values());
    }
  }
}

/** Queries what a store derives from its books. The memory store computes it by the simplest code. */
async function compareSummaries(store: Asked, books: Iterable<Book>, query: BookQuery): Promise<void> {
  const model = modelOf(books);
  assert.deepEqual(await store.statistics(query), await model.statistics(query));
  for (const name of suggestedFields) {
    const text = query[`${name}Words`] ?? query[name] ?? query.q ?? '';
    const options = { limit: 5 };
    assert.deepEqual(
      await store.suggest(name, text, options),
      await model.suggest(name, text, options),
      name,
    );
  }
  const corrections = { limit: 3 };
  assert.deepEqual(await store.corrections(query, corrections), await model.corrections(query, corrections));
}

/** Reads what a store collects from all its books. */
async function compareCollections(store: Whole, books: Iterable<Book>): Promise<void> {
  const all = [...books];
  assert.deepEqual(await authorsOf(store), countAuthors(all));
  const byFirst = (some: readonly (readonly number[])[]) =>
    some.map((ids) => [...ids].sort((a, b) => a - b)).sort(([a = 0], [b = 0]) => a - b);
  for (const of of [undefined, all.slice(0, 2)]) {
    const groups: (readonly number[])[] = [];
    for await (const part of store.duplicateCandidates({ of })) groups.push(...part.groups);
    assert.deepEqual(byFirst(groups), byFirst(groupSame(all, of)));
  }
}

/** Each spelling of an author with the number of its books. */
async function authorsOf(store: Pick<CompleteStore, 'authors'>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const part of store.authors())
    for (const { author, count } of part) counts.set(author, (counts.get(author) ?? 0) + count);
  return new Map([...counts].sort());
}

function countAuthors(books: readonly Book[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { author } of books)
    if (foldText(author) !== '') counts.set(author, (counts.get(author) ?? 0) + 1);
  return new Map([...counts].sort());
}

/** Queries all pages and the count. */
async function compareAnswer(
  store: Pick<Asked, 'find' | 'count'>,
  books: Iterable<Book>,
  query: BookQuery,
  limit: number,
): Promise<void> {
  const expected = await modelOf(books, changeRules(defaultRules, { sortArticles })).find(query, {
    limit: 1000,
  });
  const found: Book[] = [];
  let after: KeysetPosition | undefined;
  for (let isLast = false; !isLast;) {
    const page = await store.find(query, { limit, after });
    if (after === undefined) assert.equal(page.match, expected.match);
    found.push(...page.books);
    assert.ok(page.isLast || page.books.length === limit, 'a page that is not the last is full');
    isLast = page.isLast;
    after = endOf(query, page);
  }
  assert.deepEqual(found, expected.books);
  assert.equal(await store.count(query), expected.books.length);
}
