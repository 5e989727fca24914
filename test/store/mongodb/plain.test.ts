import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { toBook, type Book } from '../../../src/book.ts';
import { toCondition } from '../../../src/query/query.ts';
import { countAll, countBooks } from '../../../src/store/mongodb/count.ts';
import { indexEntry } from '../../../src/store/mongodb/entry.ts';
import { findBooks } from '../../../src/store/mongodb/find.ts';
import type { BookDocument, CounterDocument } from '../../../src/store/mongodb/prepare.ts';
import { Unindexed } from '../../../src/store/mongodb/unindexed.ts';
import { Version } from '../../../src/store/mongodb/version.ts';
import { answer } from '../../support/model.ts';
import { openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';
import { compareAnswer, history } from '../../support/questions.ts';
import { stubStore } from '../../support/stub-store.ts';

const mongod = await startMongod();
const skip = 'skip' in mongod ? mongod.skip : false;
after(() => ('skip' in mongod ? undefined : mongod.stop()));

test(
  'books without an entry, with an old one and with their own are found and counted alike',
  { skip },
  async (t) => {
    const db = await openDriver(t, newDatabaseUrl(mongod));
    const books = db.collection<BookDocument>('books');
    const counters = db.collection<CounterDocument>('counters');
    const collections = { books, counters };
    const version = new Version(collections, { change: 5000, read: 5000 }, new AbortController().signal);
    const reading = {
      collections,
      decode: ({ _id, ...fields }: BookDocument): Book => {
        const book = toBook({ ...fields, id: _id });
        assert.ok(book);
        return book;
      },
      limits: { maxTimeMS: 5000, signal: new AbortController().signal },
    };
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const all = steps
          .flatMap((step) => ('create' in step ? step.create : []))
          .map((fields, i) => ({ id: i + 1, ...fields }));
        await books.deleteMany({});
        const documents = all.map(({ id, ...fields }, i): BookDocument => {
          // One after the other: no entry, that of another book, its own.
          const state = [
            {},
            { index: indexEntry(all[i - 1] ?? fields) },
            { index: indexEntry(fields), indexed: true },
          ] as const;
          return { _id: id, ...fields, ...state[i % 3] };
        });
        if (documents.length > 0) await books.insertMany(documents);
        const unindexed = new Unindexed(version);
        const store = stubStore(new Error('not asked'), {
          find: (query, part) => findBooks(reading, unindexed, query, part),
          count: (query) => countBooks(reading, unindexed, query),
        });
        for (const step of steps) {
          if (!('ask' in step)) continue;
          await compareAnswer(store, all, step.ask, step.limit);
          assert.equal(await countAll(reading, toCondition(step.ask)), answer(all, step.ask).length);
        }
      }),
      { numRuns: 60 },
    );
  },
);
