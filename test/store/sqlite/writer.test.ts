import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { defaultHistory } from '../../../src/store/contract/store.ts';
import { addBook } from '../../../src/store/sqlite/change.ts';
import { connect, Statements } from '../../../src/store/sqlite/connection.ts';
import { runSync } from '../../../src/lib/gensync.ts';
import { readTrash } from '../../../src/store/contract/log.ts';
import { ChangeLog } from '../../../src/store/sqlite/log.ts';
import { prepareSchema } from '../../../src/store/sqlite/schema.ts';
import { queries } from '../../../src/store/sqlite/queries.ts';
import { Reader } from '../../../src/store/sqlite/reading.ts';
import { WriteQueue } from '../../../src/store/sqlite/write-queue.ts';
import {
  Writer,
  type HistoryLimits,
  type Write,
  type WriterChecks,
} from '../../../src/store/sqlite/writer.ts';
import { changeFile, faultsOf, insertSql, readFileRows } from '../../support/sqlite-file.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { fakeTime } from '../../support/time.ts';
import { hasCode } from '../../../src/catalogue/errors.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { fieldNames, mapFields } from '../../../src/catalogue/fields.ts';

const create: Write = { kind: 'create', fields: emma };

async function openWriter(t: TestContext, limits: Partial<HistoryLimits> = {}, checks: WriterChecks = {}) {
  const folder = await temporaryFolder(t);
  const db = connect(join(folder, 'shelflist.db'), { isNew: true });
  prepareSchema(db);
  const turn = new WriteQueue(join(folder, 'shelflist.queue'), () => false);
  t.after(() => {
    db.close();
    turn.close();
  });
  return { folder, db, writer: new Writer(db, turn, { ...defaultHistory, ...limits }, checks) };
}

const log = (folder: string) =>
  readFileRows(folder, `SELECT seq, book, kind, ${fieldNames.join()} FROM changes ORDER BY seq`).map(
    (row) => ({
      ...row,
    }),
  );
const booksOf = (folder: string) => readFileRows(folder, `SELECT id, ${fieldNames.join()} FROM books`);

test('the first transaction of a new store waits for no other process', async (t) => {
  const folder = await temporaryFolder(t);
  const db = connect(join(folder, 'shelflist.db'), { isNew: true });
  let attempts = 0;
  const turn = new WriteQueue(join(folder, 'shelflist.queue'), () => ++attempts > 1);
  t.after(() => {
    db.close();
    turn.close();
  });
  turn.begin(db);
  assert.equal(attempts, 1);
});

describe('a batch', () => {
  test('gives each write its own result; refused ones do not affect the others', async (t) => {
    const { writer, folder } = await openWriter(t);
    const written = writer.write([
      create,
      { kind: 'update', id: 1, patch: { year: 1 }, expected: { id: 1, ...emma, year: 7 } },
      { kind: 'update', id: 1, patch: { year: 2 } },
      { kind: 'update', id: 9, patch: { year: 2 } },
      { kind: 'delete', id: 9 },
      create,
      { kind: 'delete', id: 2, expected: { id: 2, ...emma } },
    ]);
    assert.deepEqual(
      written.map((each) => ('code' in each ? each.code : (each.book ?? 'none'))),
      [
        { id: 1, ...emma },
        'precondition_failed',
        { id: 1, ...emma, year: 2 },
        'none',
        'none',
        { id: 2, ...emma },
        'none',
      ],
    );
    assert.deepEqual(
      booksOf(folder).map((book) => book.id),
      [1],
    );
    assert.deepEqual(faultsOf(folder), []);
  });

  test('is stored completely or not at all: an error of SQLite in the middle leaves nothing of it', async (t) => {
    const { writer, folder, db } = await openWriter(t);
    writer.write([create]);
    const before = log(folder);
    db.exec('PRAGMA max_page_count = 30'); // Simulates a full disk.
    const long: Write = { kind: 'create', fields: { ...emma, title: 'x'.repeat(200_000) } };
    const update: Write = { kind: 'update', id: 1, patch: { title: 'Persuasion' } };
    assert.throws(() => writer.write([create, update, { kind: 'delete', id: 1 }, long]), /full/);
    db.exec('PRAGMA max_page_count = 4294967294');
    assert.deepEqual(
      booksOf(folder).map(({ id, title }) => [id, title]),
      [[1, 'Emma']],
    );
    assert.deepEqual(log(folder), before);
    assert.deepEqual(faultsOf(folder), []);
    assert.deepEqual(writer.write([create]), [{ book: { id: 2, ...emma } }]);
  });

  test('fails when no ids are left', async (t) => {
    const { writer, folder } = await openWriter(t);
    changeFile(
      folder,
      `UPDATE sqlite_sequence SET seq = 0; INSERT INTO sqlite_sequence VALUES ('books', ${2 ** 53 - 2})`,
    );
    const [last, none] = writer.write([create, create]);
    assert.deepEqual(last, { book: { id: 2 ** 53 - 1, ...emma } });
    assert.equal(none !== undefined && 'code' in none && none.code, 'unavailable');
  });

  test('stops at a record that is not a book, which can be deleted', async (t) => {
    const { writer, folder } = await openWriter(t);
    writer.write([create, create]);
    changeFile(folder, 'PRAGMA ignore_check_constraints = ON; UPDATE books SET title = 5 WHERE id = 1');
    const [refused, other, gone] = writer.write([
      { kind: 'update', id: 1, patch: { year: 1 } },
      { kind: 'update', id: 2, patch: { year: 1 } },
      { kind: 'delete', id: 1 },
    ]);
    assert.equal(refused !== undefined && 'code' in refused && refused.code, 'store_damaged');
    assert.deepEqual([other, gone], [{ book: { id: 2, ...emma, year: 1 } }, { book: undefined }]);
    assert.deepEqual(
      booksOf(folder).map(({ id }) => id),
      [2],
    );
  });
});

test('each step of indexing books again changes the version, because it changes the order of listings', async (t) => {
  const { writer, folder } = await openWriter(t);
  writer.write(Array.from({ length: 1500 }, () => create));
  changeFile(folder, "UPDATE meta SET folding = 'another'");
  const epochs = new Set<unknown>();
  for (let count = 1; count > 0;) {
    epochs.add(readFileRows(folder, 'SELECT epoch FROM meta')[0]?.epoch);
    count = epochs.size < 3 ? writer.backfill() : 0;
  }
  assert.equal(epochs.size, 3);
});

describe('the change log', () => {
  test('adds little to a create: its statement, checks and trigger call no functions', async (t) => {
    const { db } = await openWriter(t);
    const steps = db.prepare(`EXPLAIN ${addBook}`).all() as unknown as [address: number, code: string][];
    const codes = steps.map(([, code]) => code);
    assert.ok(codes.includes('Program'), 'it has no trigger');
    assert.deepEqual(
      codes.filter((code) => /Function|PureFunc|OpenEphemeral/.test(code)),
      [],
    );
  });

  test('has a row for each change, with the state before it, and none for a write that changes nothing', async (t) => {
    const { writer, folder } = await openWriter(t);
    const begun = Date.now();
    writer.write([create, { kind: 'update', id: 1, patch: { title: 'É\0', year: 1 } }]);
    writer.write([
      { kind: 'update', id: 1, patch: { year: 1 } },
      { kind: 'update', id: 1, patch: {} },
      { kind: 'delete', id: 5 },
    ]);
    writer.write([
      { kind: 'delete', id: 1 },
      { kind: 'delete', id: 1 },
    ]);
    const nothing = mapFields(fieldNames, () => null);
    assert.deepEqual(log(folder), [
      { seq: 1, book: 1, kind: 'created', ...nothing },
      { seq: 2, book: 1, kind: 'updated', ...emma },
      { seq: 3, book: 1, kind: 'deleted', ...emma, title: new Uint8Array(Buffer.from('É\0')), year: 1 },
    ]);
    for (const { at } of readFileRows(folder, 'SELECT at FROM changes'))
      assert.ok(Number(at) >= begun - 1 && Number(at) <= Date.now() + 1);
    assert.deepEqual(faultsOf(folder), []);
  });

  test('also records writes of other programs', async (t) => {
    const { folder } = await openWriter(t);
    changeFile(folder, `${insertSql({ ...emma, year: 1 })}; UPDATE books SET year = 2; DELETE FROM books`);
    assert.deepEqual(
      log(folder).map(({ kind, year }) => [kind, year]),
      [
        ['created', null],
        ['updated', 1],
        ['deleted', 2],
      ],
    );
  });

  test('drops changes older than its days, the oldest first', async (t) => {
    const { writer, folder } = await openWriter(t, { historyDays: 7 });
    writer.write(Array.from({ length: 20 }, () => create));
    const day = 24 * 60 * 60 * 1000;
    changeFile(folder, `UPDATE changes SET at = at - ${8 * day} WHERE seq <= 10`);
    changeFile(folder, `UPDATE changes SET at = at - ${6 * day} WHERE seq > 10`);
    for (let i = 0; i < 5; i++) writer.write([{ kind: 'update', id: 1, patch: { year: i } }]);
    assert.deepEqual(
      log(folder).map(({ seq }) => seq),
      Array.from({ length: 15 }, (_, i) => i + 11),
    );
    assert.deepEqual(faultsOf(folder), []);
  });

  test('drops what is too old also while nobody writes, as fast as time passes and no faster', async (t) => {
    const { writer, folder } = await openWriter(t, { historyDays: 7 });
    const { pass, jump } = fakeTime(t);
    const [day, hour] = [24 * 60 * 60 * 1000, 60 * 60 * 1000];
    writer.write([create, create, create]);
    changeFile(folder, `UPDATE changes SET at = at - ${7 * day} + seq * ${hour}`);
    const kept = () => {
      writer.prune();
      return log(folder).map(({ seq }) => seq);
    };
    for (const days of [200, -200, 0]) {
      jump(days * day);
      assert.deepEqual(kept(), [1, 2, 3], `${days}`);
    }
    pass(0.9 * hour);
    assert.deepEqual(kept(), [1, 2, 3]);
    pass(0.2 * hour);
    assert.deepEqual(kept(), [2, 3]);
    jump(200 * day);
    pass(hour);
    assert.deepEqual(kept(), [3]);
  });

  test('keeps what another program changed and deleted after a long pause, also if it added a book then', async (t) => {
    const { writer, folder } = await openWriter(t, { historyDays: 7 });
    writer.write([create, create]);
    const pauseMs = 100 * 24 * 60 * 60 * 1000;
    changeFile(folder, `UPDATE changes SET at = at - ${pauseMs}; UPDATE meta SET clock = clock - ${pauseMs}`);
    changeFile(
      folder,
      `UPDATE books SET year = 2 WHERE id = 1; DELETE FROM books WHERE id = 2; ${insertSql({ ...emma, year: 3 })}`,
    );
    for (let i = 0; i < 5; i++) writer.write([create]);
    assert.deepEqual(
      log(folder)
        .slice(0, 3)
        .map(({ kind, book }) => [kind, book]),
      [
        ['updated', 1],
        ['deleted', 2],
        ['created', 3],
      ],
    );
  });

  test('keeps young changes that follow old ones if the clock of the system was set back', async (t) => {
    const { writer, folder } = await openWriter(t, { historyDays: 7 });
    writer.write([create, { kind: 'update', id: 1, patch: { year: 1 } }, create]);
    changeFile(folder, `UPDATE changes SET at = 0 WHERE seq <> 2`);
    for (let i = 0; i < 5; i++) writer.write([create]);
    assert.equal(log(folder)[0]?.seq, 2);
  });

  test('is not written by writes that change nothing', async (t) => {
    const { writer, folder } = await openWriter(t);
    writer.write([create]);
    const other = connect(join(folder, 'shelflist.db'));
    t.after(() => {
      other.close();
    });
    const versionOf = () => new Statements(other).number('PRAGMA data_version');
    const before = versionOf();
    writer.write([{ kind: 'update', id: 1, patch: {} }]);
    writer.write([{ kind: 'delete', id: 9 }]);
    assert.equal(versionOf(), before);
    writer.write([create]);
    assert.notEqual(versionOf(), before);
  });

  test('stays within its bytes, and counts them correctly', async (t) => {
    const { writer, folder } = await openWriter(t, { historyMaxBytes: 20_000 });
    writer.write([create]);
    for (let i = 0; i < 100; i++)
      writer.write([{ kind: 'update', id: 1, patch: { title: `${i} ${'é'.repeat(500)}` } }]);
    const [{ bytes } = { bytes: 0 }] = readFileRows(folder, 'SELECT history_bytes AS bytes FROM meta');
    assert.ok(Number(bytes) <= 20_000 + 2 * 1100, String(bytes));
    assert.ok(Number(bytes) > 15_000, String(bytes));
    const rows = log(folder);
    assert.equal(rows.at(-1)?.seq, 101);
    assert.deepEqual(faultsOf(folder), []);
  });
});

test('a write is not acknowledged if the files turn out to be moved after its commit', async (t) => {
  let checks = 0;
  const checkFiles = () => {
    if (++checks === 2) throw new Error('moved');
  };
  const { writer } = await openWriter(t, {}, { checkFiles });
  assert.throws(() => writer.write([create]), /moved/);
});

test('with zero days of history, changes are kept for a minute, so that all services can announce them', async (t) => {
  const { writer, folder } = await openWriter(t, { historyDays: 0 });
  const { pass } = fakeTime(t);
  for (let i = 0; i < 5; i++) writer.write([create]);
  pass(55_000);
  writer.prune();
  assert.deepEqual(
    log(folder).map(({ seq }) => seq),
    [1, 2, 3, 4, 5],
  );
  pass(10_000);
  writer.prune();
  assert.deepEqual(
    log(folder).map(({ seq }) => seq),
    [5],
  );
});

test('idempotency keys are deleted after a day', async (t) => {
  const { writer, folder } = await openWriter(t);
  const createWith = (key: string): Write => ({
    kind: 'createMany',
    books: [emma],
    idempotencyKey: { key, digest: 'd' },
  });
  writer.write([createWith('old'), createWith('young')]);
  changeFile(folder, "UPDATE repeats SET at = at - 25 * 3600000 WHERE key = 'old'");
  writer.write([createWith('new')]);
  const keys = readFileRows(folder, 'SELECT key FROM repeats ORDER BY key').map(({ key }) => key);
  assert.deepEqual(keys, ['new', 'young']);
});

test('a writer adopts the articles that another process has begun to ignore', async (t) => {
  const { writer, folder } = await openWriter(t);
  const the: Write = { kind: 'create', fields: { ...emma, title: 'The Watsons' } };
  writer.write([the]);
  const db = connect(join(folder, 'shelflist.db'));
  const queue = new WriteQueue(join(folder, 'shelflist.queue'), () => false);
  t.after(() => {
    db.close();
    queue.close();
  });
  const other = new Writer(db, queue, defaultHistory);
  other.sortBy({ sortArticles: ['the'] });
  while (other.backfill() > 0);
  writer.write([the]);
  const keys = readFileRows(folder, 'SELECT title_order AS key FROM books ORDER BY id');
  assert.deepEqual(
    keys.map(({ key }) => key),
    ['watsons', 'watsons'],
  );
});

test('a batch is undoable if one of its books is, after 1000 that others have changed', async (t) => {
  const { writer, db } = await openWriter(t);
  const batch = 'a-batch-of-1001';
  writer.write([
    { kind: 'createMany', books: Array.from({ length: 1001 }, () => emma), idempotencyKey: undefined, batch },
  ]);
  const update = (id: number): Write => ({ kind: 'update', id, patch: { year: 1 } });
  writer.write(Array.from({ length: 1000 }, (_, i) => update(i + 2)));
  const undoable = () => queries.batch(new Reader(db), batch)?.undoable;
  assert.equal(undoable(), true);
  writer.write([update(1)]);
  assert.equal(undoable(), false);
});

test('a page of the trash reads a limited number of rows, and the next page continues from there', async (t) => {
  const { writer, db } = await openWriter(t);
  writer.write([create, create, create, create]);
  for (const id of [1, 2, 3, 4]) writer.write([{ kind: 'delete', id }]);
  for (const id of [3, 4]) writer.write([{ kind: 'revert', id, version: undefined }]);
  const log = new ChangeLog({ statements: new Statements(db), checkTime: () => undefined });
  const pages: number[][] = [];
  for (let after: string | undefined; ;) {
    const { books, next } = runSync(readTrash(log, { limit: 10, after }, 0, 2));
    pages.push(books.map(({ id }) => id));
    after = next;
    if (after === undefined) break;
  }
  assert.deepEqual(pages, [[], [2, 1], []]);
});

test('an update of the year leaves the index of words as it is, one of the title does not', async (t) => {
  const { writer, folder } = await openWriter(t);
  writer.write([create]);
  const index = () =>
    readFileRows(folder, 'SELECT CAST(id AS TEXT) AS id, hex(block) AS block FROM words_data');
  const written = index();
  const [updated] = writer.write([{ kind: 'update', id: 1, patch: { year: -44 } }]);
  assert.deepEqual(updated, { book: { id: 1, ...emma, year: -44 } });
  assert.deepEqual(index(), written);
  writer.write([{ kind: 'update', id: 1, patch: { title: 'Persuasion' } }]);
  assert.notDeepEqual(index(), written);
});

test('a log that another program has emptied, or a counter that it has set back, is no reason to refuse writes', async (t) => {
  const { writer, folder, db } = await openWriter(t);
  writer.write([create, create, create]);
  db.exec('DELETE FROM changes');
  assert.deepEqual(writer.write([{ kind: 'delete', id: 9 }]), [{ book: undefined }]);
  writer.write([create]);
  db.exec('DELETE FROM changes');
  writer.write([{ kind: 'update', id: 4, patch: { year: 1 } }]);
  assert.equal(booksOf(folder).length, 4);
  assert.equal(log(folder).length, 1);
  db.exec("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'books'");
  writer.write([create, create]);
  db.exec("DELETE FROM sqlite_sequence WHERE name = 'books'");
  assert.deepEqual(writer.write([create]), [{ book: { id: 7, ...emma } }]);
});

describe('a write that breaks what must hold stores nothing, and says so', () => {
  const table: [name: string, sql: string, says: RegExp][] = [
    [
      'a change without its record in the log',
      'CREATE TRIGGER forgets AFTER INSERT ON changes BEGIN DELETE FROM changes WHERE seq = NEW.seq; END',
      /^1 changes of books were made, but the log has those from 2 to 2, the newest of them 1; nothing was stored: run `shelflist doctor`$/,
    ],
    [
      'a counter of ids that moves without a new book',
      "CREATE TRIGGER jumps AFTER UPDATE OF year ON books BEGIN UPDATE sqlite_sequence SET seq = seq + 5 WHERE name = 'books'; END",
      /^0 books were created, but the counter of ids went from 1 to 6; nothing was stored/,
    ],
    [
      'a book that is deleted at once',
      'CREATE TRIGGER eats AFTER INSERT ON books WHEN NEW.id > 1 BEGIN DELETE FROM books WHERE id = NEW.id; END',
      /^1 changes of books were made, but the log has those from 2 to 3/,
    ],
  ];
  const update: Write = { kind: 'update', id: 1, patch: { year: 1 } };
  for (const [name, sql, says] of table) {
    test(name, async (t) => {
      const { writer, folder, db } = await openWriter(t);
      writer.write([create]);
      db.exec(sql); // Startup and each write refuse a schema like this: here, the check is asked for nothing.
      assert.throws(
        () => writer.write([sql.includes('AFTER UPDATE') ? update : create]),
        (error: Error) => {
          assert.match(error.message, says);
          return hasCode(error, 'store_damaged');
        },
      );
      assert.equal(booksOf(folder).length, 1);
      assert.equal(log(folder).length, 1);
    });
  }
});
