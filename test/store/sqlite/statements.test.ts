import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { toFilter } from '../../../src/catalogue/query.ts';
import { defaultHistory } from '../../../src/store/contract/store.ts';
import type { Connection, Statement } from '../../../src/store/sqlite/binding.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { queries } from '../../../src/store/sqlite/queries.ts';
import { Reader } from '../../../src/store/sqlite/reading.ts';
import { prepareSchema } from '../../../src/store/sqlite/schema.ts';
import { WriteQueue } from '../../../src/store/sqlite/write-queue.ts';
import { Writer, type Write } from '../../../src/store/sqlite/writer.ts';
import { checkBudget } from '../../support/budgets.ts';
import { temporaryFolder } from '../../support/temp.ts';

/** Calls `onCall` with the name of each method that is called, and passes the call on. */
function spyOn<T extends object>(target: T, onCall: (name: string, result: unknown) => unknown): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]) => onCall(String(name), Reflect.apply(member, target, values));
    },
  });
}

/** A connection whose statements are counted, those of transactions included. `take` returns the count, and begins anew. */
function countStatements(connection: Connection): { db: Connection; take: () => number } {
  let statements = 0;
  const ran = new Set(['get', 'all', 'iterate', 'run']);
  const db = spyOn(connection, (name, result) => {
    if (name === 'exec') statements++;
    if (name !== 'prepare') return result;
    return spyOn(result as Statement, (method, value) => {
      if (ran.has(method)) statements++;
      return value;
    });
  });
  return {
    db,
    take() {
      const counted = statements;
      statements = 0;
      return counted;
    },
  };
}

async function openFile(t: TestContext) {
  const folder = await temporaryFolder(t);
  const { db, take } = countStatements(connect(join(folder, 'shelflist.db'), { isNew: true }));
  prepareSchema(db);
  const queue = new WriteQueue(join(folder, 'shelflist.queue'), () => false);
  t.after(() => {
    db.close();
    queue.close();
  });
  return { db, take, writer: new Writer(db, queue, defaultHistory) };
}

test('a write runs few statements: reads, the book, its words, its change, and one transaction', async (t) => {
  const { take, writer } = await openFile(t);
  const writes: [name: string, write: Write][] = [
    ['a create', { kind: 'create', fields: emma }],
    ['an update', { kind: 'update', id: 1, patch: { year: 1816 } }],
    ['a delete', { kind: 'delete', id: 1 }],
  ];
  writer.write([
    { kind: 'create', fields: emma },
    { kind: 'create', fields: emma },
  ]); // Reads what is remembered afterwards.
  take();
  for (const [name, write] of writes) {
    const [written] = writer.write([write]);
    assert.ok(written !== undefined && !('code' in written), name);
    checkBudget(`SQLite statements of ${name}`, take());
  }
});

test('a page and a count run few statements, and none for each book', async (t) => {
  const { db, take, writer } = await openFile(t);
  writer.write(
    Array.from({ length: 50 }, (_, i) => ({ kind: 'create', fields: { ...emma, title: `Emma ${i}` } })),
  );
  const reader = new Reader(db);
  const page = (query: Parameters<typeof toFilter>[0]) =>
    reader.answer(() => queries.find(reader, toFilter(query), 20, undefined));
  const asked: [name: string, ask: () => unknown][] = [
    ['GET /books?sort=title', () => page({ sort: 'title' })],
    ['GET /books?q=', () => page({ q: 'emma' })],
    ['a count', () => reader.answer(() => queries.count(reader, toFilter({ q: 'emma' })))],
  ];
  for (const [name, ask] of asked) {
    ask(); // Prepares and remembers.
    take();
    ask();
    checkBudget(`SQLite statements of ${name}`, take());
  }
});
