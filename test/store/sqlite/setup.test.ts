import assert from 'node:assert/strict';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import type { Connection } from '../../../src/store/sqlite/binding.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { newestFormat, readFormat } from '../../../src/store/sqlite/migrations.ts';
import { prepareSchema } from '../../../src/store/sqlite/schema.ts';
import { changeFile } from '../../support/sqlite-file.ts';
import { closeFiles } from '../../support/garbage.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

describe('a path that cannot be a store is refused, with what to do', () => {
  const table: [what: string, prepare: (path: string) => Promise<unknown>, message: RegExp][] = [
    ['a file', async (path) => writeFile(path, 'x'), /is a file; name a folder$/],
    [
      'below a file',
      async (path) => {
        await writeFile(path, 'x');
        return join(path, 'data');
      },
      /is a file; name a folder$/,
    ],
    [
      'a link to a folder that was moved away',
      (path) => symlink(`${path}.gone`, path),
      /place: it is a link to \S+place\.gone, which is missing; put that back, or name another folder$/,
    ],
    [
      'an empty database beside the mark of a backup',
      async (path) => {
        await mkdir(path);
        for (const name of ['shelflist.db', '.last-backup']) await writeFile(join(path, name), '');
      },
      /shelflist\.db is empty, but a backup was made here; move the folder away and restore a backup/,
    ],
    [
      'a folder that contains other files',
      async (path) => {
        await mkdir(path);
        await writeFile(join(path, 'thesis.doc'), 'x');
      },
      /contains other files \(thesis\.doc\); name an empty or a new folder$/,
    ],
    [
      'a store of the previous version',
      async (path) => {
        await mkdir(path);
        for (const name of ['data.mdb', 'lock.mdb']) await writeFile(join(path, name), 'x');
      },
      /an earlier version \(data\.mdb, LMDB\).+export the books with that version and import them/,
    ],
    [
      'noise instead of the database',
      async (path) => {
        await mkdir(path);
        await writeFile(join(path, 'shelflist.db'), Buffer.alloc(20_000, 'noise'));
      },
      /shelflist\.db is damaged, or not a database; move the folder away and restore a backup/,
    ],
    [
      'a database of another program',
      async (path) => {
        await mkdir(path);
        changeFile(path, 'CREATE TABLE theirs (a)');
      },
      /the file belongs to another program; name another folder$/,
    ],
    [
      'a later format',
      async (path) => {
        await (await openStore(`file:${path}`)).close();
        changeFile(path, 'PRAGMA user_version = 99');
      },
      /shelflist \S+ wrote it in format 99, and this is \S+, which knows formats up to \d+; use that release or a later one/,
    ],
    [
      'a database truncated in its first pages',
      async (path) => {
        const store = await openStore(`file:${path}`);
        await Promise.all(Array.from({ length: 500 }, () => store.create(emma)));
        await closeFiles(store);
        await truncate(join(path, 'shelflist.db'), 5000);
      },
      /shelflist\.db is damaged, or not a database/,
    ],
  ];
  for (const [what, prepare, message] of table) {
    test(what, async (t) => {
      const folder = await temporaryFolder(t);
      const path = join(folder, 'place');
      const prepared = await prepare(path);
      const place = typeof prepared === 'string' ? prepared : path;
      const before = (await readdir(folder, { recursive: true })).filter((name) => !/-(wal|shm)$/.test(name));
      await assert.rejects(openStore(`file:${place}`), (error: Error & { code: string }) => {
        assert.match(error.message, message);
        assert.match(error.message, /^cannot use the store (?!.*cannot use the store)/);
        assert.equal(error.code, 'store_unusable');
        return true;
      });
      const after = (await readdir(folder, { recursive: true })).filter((name) => !/-(wal|shm)$/.test(name));
      assert.deepEqual(after, before, 'nothing is created');
    });
  }

  const noProc = process.platform !== 'linux' && 'there is no /proc';
  test('a folder that cannot be created', { skip: noProc }, async () => {
    await assert.rejects(openStore('file:/proc/shelflist/data'), { code: 'store_unusable' });
  });

  test('a folder that this user may not write', async (t) => {
    const isRoot = process.getuid?.() === 0;
    // Root may write everywhere except where the kernel refuses.
    const path = isRoot ? '/sys/kernel' : await temporaryFolder(t);
    if (!isRoot) await chmod(path, 0o555);
    await assert.rejects(
      openStore(`file:${join(path, 'data')}`),
      /may not write there; run this as the user of the service, or, if this is that user, change its owner/,
    );
  });

  const isRoot = process.getuid?.() === 0 && 'root may write every file';
  test('a database that this user may not write', { skip: isRoot }, async (t) => {
    const path = await temporaryFolder(t);
    await (await openStore(`file:${path}`)).close();
    await chmod(join(path, 'shelflist.db'), 0o444);
    await assert.rejects(openStore(`file:${path}`), /may not write shelflist\.db/);
  });
});

test('a refused database of another program stays as it is', async (t) => {
  const path = await temporaryFolder(t);
  changeFile(path, 'CREATE TABLE theirs (a)');
  const before = await readFile(join(path, 'shelflist.db'));
  await assert.rejects(openStore(`file:${path}`), { code: 'store_unusable' });
  assert.ok(before.equals(await readFile(join(path, 'shelflist.db'))));
});

test('lost+found, dot files and those of a killed restore or copy do not make a folder foreign', async (t) => {
  const path = await temporaryFolder(t);
  await mkdir(join(path, 'lost+found'));
  await writeFile(join(path, '.DS_Store'), '');
  for (const name of ['', '-journal', '-wal', '-shm'].map((end) => `shelflist.db.k3x.tmp${end}`))
    await writeFile(join(path, name), '');
  await (await openStore(`file:${path}`)).close();
});

test('a dot in its name does not make a folder a file', async (t) => {
  const path = join(await temporaryFolder(t), 'deep/books.db');
  await (await openStore(`file:${path}`)).close();
  assert.ok((await stat(path)).isDirectory());
});

test('an empty database of an interrupted start is initialised', async (t) => {
  const path = await temporaryFolder(t);
  await writeFile(join(path, 'shelflist.db'), '');
  const store = await openStore(`file:${path}`);
  t.after(() => store.close());
  assert.equal((await store.create(emma)).id, 1);
});

test('many starts at once in one new folder all succeed', async (t) => {
  const path = await temporaryFolder(t);
  const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(`file:${path}`)));
  t.after(() => Promise.all(stores.map((store) => store.close())));
  const ids = await Promise.all(stores.map(async (store) => (await store.create(emma)).id));
  assert.deepEqual(ids.sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
});

for (const reads of [1, 2])
  test(`a start is not refused when another process creates the tables after ${reads} of its checks`, async (t) => {
    const file = join(await temporaryFolder(t), 'shelflist.db');
    const [db, other] = [connect(file, { isNew: true }), connect(file)];
    t.after(() => {
      db.close();
      other.close();
    });
    let left = reads;
    const watched = {
      exec: (sql: string) => {
        db.exec(sql);
      },
      prepare: (sql: string) => ({
        get() {
          const row: unknown = db.prepare(sql).get();
          if (--left === 0) prepareSchema(other);
          return row;
        },
      }),
    } as unknown as Connection;
    prepareSchema(watched);
    assert.ok(left <= 0);
    assert.equal(readFormat(db), newestFormat);
  });

test('a copy of the database file of a closed store is the whole store', async (t) => {
  const path = await temporaryFolder(t);
  const store = await openStore(`file:${join(path, 'a')}`);
  await store.create(emma);
  await closeFiles(store);
  await mkdir(join(path, 'b'));
  await copyFile(join(path, 'a/shelflist.db'), join(path, 'b/shelflist.db'));
  const copy = await openStore(`file:${join(path, 'b')}`);
  t.after(() => copy.close());
  assert.deepEqual(await copy.get(1), { id: 1, ...emma });
});

test('the header of the database identifies it as one of shelflist', async (t) => {
  const path = await temporaryFolder(t);
  await (await openStore(`file:${path}`)).close();
  const header = await readFile(join(path, 'shelflist.db'));
  assert.equal(header.toString('latin1', 0, 15), 'SQLite format 3');
  assert.equal(header.toString('latin1', 68, 72), 'shlf');
});
