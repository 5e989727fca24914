import assert from 'node:assert/strict';
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { openStore } from '../../../src/index.ts';
import type { CompleteStore } from '../../../src/store.ts';
import { closeFiles } from '../../support/garbage.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temp.ts';

interface Loss {
  readonly what: string;
  readonly lose: (folder: string) => Promise<unknown>;
}

const losses: readonly Loss[] = [
  { what: 'the database is removed', lose: (folder) => rm(join(folder, 'shelflist.db')) },
  { what: 'the log is removed', lose: (folder) => rm(join(folder, 'shelflist.db-wal')) },
  { what: 'the memory of the log is removed', lose: (folder) => rm(join(folder, 'shelflist.db-shm')) },
  { what: 'the folder is moved', lose: (folder) => rename(folder, `${folder}-moved`) },
  { what: 'the database is replaced by another', lose: replaceDatabase },
  {
    what: 'the database is replaced by an empty file',
    lose: async (folder) => {
      await rm(join(folder, 'shelflist.db'));
      await writeFile(join(folder, 'shelflist.db'), '');
    },
  },
];

async function replaceDatabase(folder: string): Promise<void> {
  const other = await openStore(`file:${folder}-other`);
  for (let i = 0; i < 3; i++) await other.create({ title: 'Another book' });
  await closeFiles(other);
  await rename(join(`${folder}-other`, 'shelflist.db'), join(folder, 'shelflist.db'));
}

describe('a store whose files are gone acknowledges no write, and says what to do', () => {
  for (const { what, lose } of losses) {
    for (const isUsed of [true, false]) {
      test(`${what}, ${isUsed ? 'after' : 'before'} the first write and search`, async (context) => {
        const folder = join(await temporaryFolder(context), 'data');
        await fill(folder);
        const store = await openStore(`file:${folder}`);
        if (isUsed) assert.equal((await store.create(emma)).id, 3);
        if (isUsed) assert.equal(await store.count({ q: 'emma' }), 3);
        await lose(folder);
        const files = await sizesOf(folder);
        for (const write of writesOf(store))
          await assert.rejects(write, {
            code: 'unavailable',
            message: /shelflist\.db\S* was moved, removed or replaced.+stop the service/,
          });
        const count = await store
          .count({ q: 'emma' })
          .catch((error: unknown) => (error as { code: string }).code);
        assert.equal(count, isUsed ? 3 : 'unavailable', 'a search has the books of the store, or none');
        assert.deepEqual(await store.get(1), { id: 1, ...emma }, 'books are read as before');
        assert.deepEqual(await sizesOf(folder), files, 'it creates, removes and writes nothing');
        await closeFiles(store);
      });
    }
  }
});

async function fill(folder: string): Promise<void> {
  const store = await openStore(`file:${folder}`);
  for (let i = 0; i < 2; i++) await store.create(emma);
  await closeFiles(store);
}

function writesOf(store: CompleteStore): (() => Promise<unknown>)[] {
  return [
    () => store.create(emma),
    () => store.update(1, { year: 1 }),
    () => store.delete(1),
    () => store.revert(1),
    () => store.undo('a-batch-of-books', { as: 'the-undo-of-it', limit: 9 }),
  ];
}

async function sizesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const files = names.filter((name) => name.startsWith('shelflist.db')).sort();
  return Promise.all(files.map(async (name) => `${name} ${(await stat(join(folder, name))).size}`));
}

test('a removed database can be put back: no acknowledged write is lost, and no id is given twice', async (context) => {
  const folder = join(await temporaryFolder(context), 'data');
  const file = join(folder, 'shelflist.db');
  const store = await openStore(`file:${folder}`);
  await store.create(emma);
  await link(file, `${folder}.kept`);
  await rm(file);
  await assert.rejects(store.create(emma), { code: 'unavailable' });
  assert.equal(await store.count({}).catch(() => 'none'), 'none');
  await closeFiles(store);
  await assert.rejects(openStore(`file:${folder}`), {
    code: 'store_unusable',
    message: /shelflist\.db-(wal|shm) belongs to a database that no longer exists; put shelflist\.db back/,
  });
  await rename(`${folder}.kept`, file);
  const again = await openStore(`file:${folder}`);
  context.after(() => again.close());
  assert.deepEqual(await again.get(1), { id: 1, ...emma });
  assert.equal((await again.create(emma)).id, 2);
});

test('writes resume when the database is put back', async (context) => {
  const folder = join(await temporaryFolder(context), 'data');
  const store = await openStore(`file:${folder}`);
  context.after(() => store.close());
  await store.create(emma);
  await rename(folder, `${folder}-moved`);
  await assert.rejects(store.create(emma), { code: 'unavailable' });
  await rename(`${folder}-moved`, folder);
  assert.equal((await store.create(emma)).id, 2);
  assert.equal(await store.count({}), 2);
});

test('a database that replaces an open one is not changed, and opens without the log of the old one', async (context) => {
  const folder = join(await temporaryFolder(context), 'data');
  const store = await openStore(`file:${folder}`);
  for (let i = 0; i < 5; i++) await store.create(emma);
  await replaceDatabase(folder);
  const bytes = await readFile(join(folder, 'shelflist.db'));
  await assert.rejects(store.create(emma), { code: 'unavailable' });
  await closeFiles(store);
  assert.ok(bytes.equals(await readFile(join(folder, 'shelflist.db'))));
  const log = (await readdir(folder)).find((name) => /^shelflist\.db\.lost-.+-wal$/.test(name));
  assert.ok((await stat(join(folder, log ?? 'no log'))).size > 0, 'the log with the latest writes is kept');
  const again = await openStore(`file:${folder}`);
  context.after(() => again.close());
  assert.equal(await again.count({ q: 'another' }), 3);
  assert.equal(await again.count({ q: 'emma' }), 0);
  assert.equal((await again.create(emma)).id, 4);
});

test('an empty database beside a log with writes is refused', async (context) => {
  const folder = join(await temporaryFolder(context), 'data');
  await mkdir(folder);
  await writeFile(join(folder, 'shelflist.db'), '');
  await writeFile(join(folder, 'shelflist.db-wal'), Buffer.alloc(5000));
  await assert.rejects(openStore(`file:${folder}`), {
    code: 'store_unusable',
    message:
      /shelflist\.db is empty, but shelflist\.db-wal belongs to it; put shelflist\.db back, or move the folder away/,
  });
  assert.equal((await stat(join(folder, 'shelflist.db-wal'))).size, 5000);
});

test('a service whose database was removed answers writes with 503 and logs what to do', async (context) => {
  const folder = join(await temporaryFolder(context), 'data');
  const service = await startService(context, { databaseUrl: `file:${folder}` });
  const { token } = service;
  await service.request('POST', '/book', { token, body: emma });
  await rm(join(folder, 'shelflist.db'));
  const { envelope } = await service.request('POST', '/book', { token, body: emma });
  assert.deepEqual([envelope?.status, envelope?.message], [503, 'Service unavailable']);
  assert.match(JSON.stringify(service.log), /shelflist\.db was moved, removed or replaced.+stop the service/);
});
