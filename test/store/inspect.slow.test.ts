import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, readlink, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test, type TestContext } from 'node:test';
import { MongoClient, type Document } from 'mongodb';
import { openStore } from '../../src/index.ts';
import type { StoreReport } from '../../src/store/contract/driver.ts';
import { inspectStore } from '../../src/store/drivers.ts';
import { bookOf } from '../support/books.ts';
import { useMongod } from '../support/mongodb-tests.ts';
import { changeFile, insertSql, openFile, spoilRecord } from '../support/sqlite-file.ts';
import { closeFiles } from '../support/garbage.ts';
import { temporaryFolder } from '../support/temp.ts';
import { exampleBook as emma } from '../../src/catalogue/book.ts';

async function fill(url: string, count: number): Promise<void> {
  const store = await openStore(url);
  for (let i = 0; i < count; i++) await store.create(emma);
  await closeFiles(store);
}

const putBack = (path: string, id: number) => {
  changeFile(path, insertSql({ id, ...emma }));
};

async function assertClockNamed(url: string, context: TestContext): Promise<void> {
  const problem =
    /^its latest change has the time 2100-01-01T00:00Z, and it is 20\S+Z now: the clock of this machine is wrong, or was/;
  assert.match((await inspectStore(url))?.clockProblem ?? '', problem);
  const warnings: string[] = [];
  const ignore = () => undefined;
  const warn = (_: object, message: string) => warnings.push(message);
  const store = await openStore(url, { logger: { info: ignore, warn, error: ignore } });
  context.after(() => store.close());
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', problem);
}

/** The report on a store, without the disk of an embedded one, of which some bytes are free. */
async function inspect(url: string): Promise<Omit<StoreReport, 'disk'> | undefined> {
  const report = await inspectStore(url);
  if (report === undefined) return undefined;
  const { disk, ...others } = report;
  assert.equal((disk?.freeBytes ?? 0) > 0, url.startsWith('file:'));
  return others;
}

describe('an embedded store', () => {
  const table: [what: string, prepare: (path: string) => Promise<unknown>, expected: object | undefined][] = [
    ['no folder', () => Promise.resolve(), undefined],
    ['an empty folder', (path) => mkdir(path), undefined],
    [
      'a folder with something else',
      async (path) => {
        await mkdir(path);
        await writeFile(join(path, 'thesis.doc'), 'x');
      },
      undefined,
    ],
    [
      'a data file of an open that was cut off',
      async (path) => {
        await mkdir(path);
        await writeFile(join(path, 'shelflist.db'), '');
      },
      undefined,
    ],
    [
      'without books',
      (path) => fill(`file:${path}`, 0),
      { lastId: 0, highestId: 0, damaged: [], problems: [] },
    ],
    ['with books', (path) => fill(`file:${path}`, 3), { lastId: 3, highestId: 3, damaged: [], problems: [] }],
    [
      'whose last book was deleted',
      async (path) => {
        await fill(`file:${path}`, 3);
        const store = await openStore(`file:${path}`);
        await store.delete(3);
        await closeFiles(store);
      },
      { lastId: 3, highestId: 2, damaged: [], problems: [] },
    ],
    [
      'with a book that another program added',
      async (path) => {
        await fill(`file:${path}`, 1);
        putBack(path, 40);
      },
      { lastId: 40, highestId: 40, damaged: [], problems: [] },
    ],
    [
      'whose counter is below the ids of the books',
      async (path) => {
        await fill(`file:${path}`, 3);
        changeFile(path, "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'books'");
      },
      { lastId: 3, highestId: 3, damaged: [], problems: [] },
    ],
    [
      'the largest id that there can be',
      async (path) => {
        await fill(`file:${path}`, 1);
        putBack(path, Number.MAX_SAFE_INTEGER);
      },
      { lastId: Number.MAX_SAFE_INTEGER, highestId: Number.MAX_SAFE_INTEGER, damaged: [], problems: [] },
    ],
    [
      'with records that are not books',
      async (path) => {
        await fill(`file:${path}`, 4);
        for (const id of [2, 3]) spoilRecord(path, id);
      },
      { lastId: 4, highestId: 4, damaged: [2, 3], problems: [] },
    ],
  ];
  for (const [what, prepare, expected] of table) {
    test(what, async (context) => {
      const folder = await temporaryFolder(context);
      const path = join(folder, 'books.d');
      await prepare(path);
      const before = await readdir(folder, { recursive: true });
      assert.deepEqual(await inspect(`file:${path}`), expected);
      assert.deepEqual(await inspect(`file:${path}`), expected, 'it is left as it is');
      assert.deepEqual(await readdir(folder, { recursive: true }), before, 'nothing is made');
    });
  }

  const noProc = process.platform !== 'linux' && 'there is no /proc';
  test('leaves no file open, so that Windows lets it be renamed', { skip: noProc }, async (context) => {
    const path = join(await temporaryFolder(context), 'data');
    const file = join(path, 'shelflist.db');
    await fill(`file:${path}`, 3);
    await copyFile(file, join(path, 'copy'));
    await rename(join(path, 'copy'), file); // The store may have left the file before open.
    assert.ok(await inspectStore(`file:${path}`));
    const links = await readdir('/proc/self/fd');
    const open = await Promise.all(links.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    assert.deepEqual(
      open.filter((each) => each === file),
      [],
    );
  });

  test('whose latest change is in the future: the clock is named, here and at the start', async (context) => {
    const path = join(await temporaryFolder(context), 'data');
    await fill(`file:${path}`, 1);
    changeFile(path, 'UPDATE meta SET clock = 4102444800000');
    await assertClockNamed(`file:${path}`, context);
  });

  test('while a service has it open', async (context) => {
    const url = `file:${join(await temporaryFolder(context), 'data')}`;
    const store = await openStore(url);
    context.after(() => store.close());
    await store.create(emma);
    assert.deepEqual(await inspect(url), { lastId: 1, highestId: 1, damaged: [], problems: [] });
    await store.create(emma);
    assert.deepEqual(await inspect(url), { lastId: 2, highestId: 2, damaged: [], problems: [] });
  });

  test('after a killed service has left its log behind', async (context) => {
    const folder = await temporaryFolder(context);
    const [path, copy] = [join(folder, 'data'), join(folder, 'copy')];
    await fill(`file:${path}`, 1);
    await mkdir(copy);
    const db = openFile(path);
    db.exec(insertSql(bookOf({})));
    for (const name of ['shelflist.db', 'shelflist.db-wal'])
      await copyFile(join(path, name), join(copy, name));
    db.close();
    assert.deepEqual(await inspect(`file:${copy}`), {
      lastId: 2,
      highestId: 2,
      damaged: [],
      problems: [],
    });
  });

  test('a copy of the database alone, which is left unchanged', async (context) => {
    const folder = await temporaryFolder(context);
    const path = join(folder, 'data');
    await fill(`file:${path}`, 2);
    const copy = join(folder, 'copy');
    await mkdir(copy);
    await copyFile(join(path, 'shelflist.db'), join(copy, 'shelflist.db'));
    const { size, mtimeMs } = await stat(join(copy, 'shelflist.db'));
    assert.deepEqual(await inspect(`file:${copy}`), {
      lastId: 2,
      highestId: 2,
      damaged: [],
      problems: [],
    });
    const after = await stat(join(copy, 'shelflist.db'));
    assert.deepEqual({ size, mtimeMs }, { size: after.size, mtimeMs: after.mtimeMs });
    assert.deepEqual(await readdir(copy), ['shelflist.db']);
  });

  const unusable: [what: string, prepare: (path: string) => Promise<unknown>, message: RegExp][] = [
    ['a file', (path) => writeFile(path, 'x'), /is a file; name a folder$/],
    [
      'noise',
      async (path) => {
        await mkdir(path);
        await writeFile(join(path, 'shelflist.db'), Buffer.alloc(20_000, 'noise'));
      },
      /is damaged, or not a database; move the folder away and restore a backup in its place/,
    ],
    [
      'cut off',
      async (path) => {
        await fill(`file:${path}`, 1);
        await truncate(join(path, 'shelflist.db'), 8192);
      },
      /is damaged, or not a database; move the folder away and restore a backup in its place/,
    ],
    [
      'a database of another program',
      async (path) => {
        await mkdir(path);
        changeFile(path, 'CREATE TABLE theirs (a)');
      },
      /belongs to another program/,
    ],
    [
      'a store of the previous version (LMDB)',
      async (path) => {
        await mkdir(path);
        await writeFile(join(path, 'data.mdb'), '');
      },
      /earlier version \(data\.mdb, LMDB\), which this version does not read; export the books with that version/,
    ],
    [
      'a counter that is not a number',
      async (path) => {
        await fill(`file:${path}`, 1);
        changeFile(path, "UPDATE sqlite_sequence SET seq = 'many' WHERE name = 'books'");
      },
      /counter of ids is not a number/,
    ],
    [
      'a later format',
      async (path) => {
        await fill(`file:${path}`, 1);
        changeFile(path, 'PRAGMA user_version = 99');
      },
      /shelflist \S+ wrote it in format 99, and this is \S+, which knows formats up to \d+; use that release or a later one/,
    ],
  ];
  for (const [what, prepare, message] of unusable) {
    test(`${what} is refused, with what to do`, async (context) => {
      const path = join(await temporaryFolder(context), 'data');
      await prepare(path);
      await assert.rejects(inspectStore(`file:${path}`), (error: Error & { code?: string }) => {
        assert.match(error.message, message);
        assert.match(error.code ?? '', /^store_(unusable|damaged)$/);
        return true;
      });
    });
  }

  for (const address of ['', 'data', 'http://ada:s3cret@x/']) {
    test(`${JSON.stringify(address)} is a TypeError that does not repeat it`, async () => {
      await assert.rejects(inspectStore(address), (error: Error) => {
        assert.ok(error instanceof TypeError);
        assert.doesNotMatch(error.message, /s3cret/);
        return true;
      });
    });
  }
});

const { mongod, skip } = await useMongod();

describe('a MongoDB store', { skip }, () => {
  async function database(context: { after: (end: () => unknown) => void }) {
    if ('skip' in mongod) throw new Error(mongod.skip);
    const address = new URL(mongod.url);
    const name = `shelflist_${randomBytes(6).toString('hex')}`;
    address.pathname = `/${name}`;
    const client = await new MongoClient(address.href).connect();
    const db = client.db();
    context.after(async () => {
      await db.dropDatabase();
      await client.close();
    });
    const names = async () => {
      const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
      return databases.map((each) => each.name);
    };
    return { url: address.href, name, db, names };
  }

  test('none: no database is made', async (context) => {
    const { url, name, names } = await database(context);
    await inspectStore(url);
    assert.ok(!(await names()).includes(name));
  });

  test('without books, with books, and after the last one was deleted', async (context) => {
    const { url } = await database(context);
    await fill(url, 0);
    assert.deepEqual(await inspect(url), { lastId: 0, highestId: 0, damaged: [], problems: [] });
    await fill(url, 3);
    assert.deepEqual(await inspect(url), { lastId: 3, highestId: 3, damaged: [], problems: [] });
    const store = await openStore(url);
    await store.delete(3);
    await closeFiles(store);
    assert.deepEqual(await inspect(url), { lastId: 3, highestId: 2, damaged: [], problems: [] });
  });

  test('whose latest change is in the future: the clock is named, here and at the start', async (context) => {
    const { url, db } = await database(context);
    await fill(url, 1);
    const store = await openStore(url);
    await store.delete(1);
    await closeFiles(store);
    await db.collection('books').updateOne({}, { $set: { deletedAt: new Date(4102444800000) } });
    await assertClockNamed(url, context);
  });

  test('whose counter is behind: it is left as it is', async (context) => {
    const { url, db } = await database(context);
    await fill(url, 1);
    await db.collection('books').insertOne({ _id: 40, ...emma } as Document);
    const counters = () => db.collection('counters').find().toArray();
    const before = await counters();
    assert.deepEqual(await inspect(url), { lastId: 1, highestId: 40, damaged: [], problems: [] });
    assert.deepEqual(await counters(), before);
  });

  test('where there is none yet it says so', async (context) => {
    const { url } = await database(context);
    assert.equal(await inspectStore(url), undefined);
  });
});

test('a MongoDB that is down: what it says has no password', async () => {
  await assert.rejects(
    inspectStore('mongodb://ada:s3cret@127.0.0.1:1/books'),
    (error: Error & { code?: string }) => {
      assert.match(
        error.message,
        /^cannot use the database mongodb:\/\/127\.0\.0\.1:1\/books: .*ECONNREFUSED/,
      );
      assert.doesNotMatch(error.message, /s3cret/);
      assert.equal(error.code, 'store_unusable');
      return true;
    },
  );
});
