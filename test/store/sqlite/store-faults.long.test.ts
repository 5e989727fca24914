import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, open as openFileHandle, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { openElsewhere } from '../remote-store.ts';
import { sized } from '../../support/size.ts';
import { faultsOf, readFileRows } from '../../support/sqlite-file.ts';
import { closeFiles } from '../../support/garbage.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

/** Runs a module in another process; returns its output and exit status. */
async function runModule(
  cwd: string,
  source: string,
  launcher: readonly string[] = [],
): Promise<{ stdout: string; stderr: string; code: number | null }> {
  const url = JSON.stringify(new URL('../../../src/index.ts', import.meta.url).href);
  const file = join(cwd, 'script.mts');
  await writeFile(file, source.replace('SHELFLIST', url));
  const tsx = new URL(import.meta.resolve('tsx')).href;
  const [command, ...args] = [...launcher, process.execPath, '--import', tsx, file];
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { stdout, stderr, code };
}

describe('a process that ends without closing its store', () => {
  test('by process.exit() right after acknowledged writes, loses none', async (t) => {
    const cwd = await temporaryFolder(t);
    const { stdout, stderr, code } = await runModule(
      cwd,
      `import { openStore } from SHELFLIST;
       const store = await openStore('file:data');
       await Promise.all(Array.from({ length: 50 }, () => store.create({ title: 'a', author: '', year: 0 })));
       console.log('acknowledged');
       process.exit(7);`,
    );
    assert.deepEqual([stdout, stderr, code], ['acknowledged\n', '', 7]);
    const store = await openStore(`file:${join(cwd, 'data')}`);
    t.after(() => store.close());
    assert.equal(await store.count({}), 50);
    assert.deepEqual(faultsOf(join(cwd, 'data')), []);
  });

  test('by process.exit() during a bulk import, ends at once and loses nothing acknowledged', async (t) => {
    const cwd = await temporaryFolder(t);
    const { stderr, code } = await runModule(
      cwd,
      `import { openStore } from SHELFLIST;
       import { appendFileSync } from 'node:fs';
       const store = await openStore('file:data');
       for (let i = 0; i < 20_000; i++)
         store.create({ title: 'title ' + i, author: 'bulk', year: 0 }).then(({ id }) => {
           appendFileSync('acknowledged', id + '\\n');
           if (id === 1500) process.exit(7);
         });`,
    );
    assert.deepEqual([stderr, code], ['', 7]);
    const told = await readFile(join(cwd, 'acknowledged'), 'utf8');
    const acknowledged = told.trim().split('\n').map(Number);
    const store = await openStore(`file:${join(cwd, 'data')}`);
    t.after(() => store.close());
    assert.ok((await store.count({})) < 20_000, 'it did not wait for the rest');
    for (const id of acknowledged) assert.ok(await store.get(id), `book ${id}`);
    assert.deepEqual(faultsOf(join(cwd, 'data')), []);
  });

  test('because it has nothing left to do, ends by itself', async (t) => {
    const cwd = await temporaryFolder(t);
    const outcome = await runModule(
      cwd,
      `import { openStore } from SHELFLIST;
       const store = await openStore('file:data');
       await store.create({ title: 'a', author: '', year: 0 });
       console.log(await store.count({ q: 'a' }), (await store.get(1)).id);`,
    );
    assert.deepEqual(outcome, { stdout: '1 1\n', stderr: '', code: 0 });
  });
});

const noLimit = process.platform !== 'linux' && 'prlimit is a tool of Linux';
test('a backup that finds no space says so, and does not blame the store', { skip: noLimit }, async (t) => {
  const cwd = await temporaryFolder(t);
  await fill(join(cwd, 'data'));
  const { stdout } = await runModule(
    cwd,
    `import { backUpStore } from SHELFLIST;
     await backUpStore('file:data', 'copy').catch((error) => console.log(error.code, error.message));`.replace(
      'SHELFLIST',
      JSON.stringify(new URL('../../../src/store/drivers.ts', import.meta.url).href),
    ),
    ['prlimit', '--fsize=100000'],
  );
  assert.match(stdout, /^undefined .*(full|I\/O)/);
});

describe('a file that was damaged while it was closed', () => {
  const page = 4096;
  const damage: [what: string, change: (file: string) => Promise<unknown>][] = [
    [
      'truncated to half',
      async (file) => truncate(file, Math.floor((await stat(file)).size / page / 2) * page),
    ],
    ['its second half zeroed', (file) => overwrite(file, 0.5, 1, 0)],
    ['its second half overwritten', (file) => overwrite(file, 0.5, 1, 0xa5)],
    ['all but its first page overwritten', (file) => overwrite(file, 0.001, 1, 0xa5)],
    ['its first page zeroed', (file) => overwrite(file, 0, 0.001, 0)],
  ];
  for (const [what, change] of damage) {
    test(`${what}: the start or some calls fail with clear errors, and the process survives`, async (t) => {
      const folder = await temporaryFolder(t);
      await fill(folder);
      await change(join(folder, 'shelflist.db'));
      await useDamaged(t, folder);
    });
  }
});

describe('a file that is damaged while a process has it open', () => {
  const damage: [what: string, name: string, change: (file: string) => Promise<unknown>][] = [
    ['the database is truncated', 'shelflist.db', (file) => truncate(file, 8192)],
    ['the database is emptied', 'shelflist.db', (file) => truncate(file, 0)],
    ['the database is overwritten', 'shelflist.db', (file) => overwrite(file, 0, 1, 0xa5)],
    ['the database is zeroed', 'shelflist.db', (file) => overwrite(file, 0, 1, 0)],
    ['the log is truncated', 'shelflist.db-wal', (file) => truncate(file, 4000)],
    ['the log is emptied', 'shelflist.db-wal', (file) => truncate(file, 0)],
    ['the log is overwritten', 'shelflist.db-wal', (file) => overwrite(file, 0, 1, 0xa5)],
    ['the index of the log is overwritten', 'shelflist.db-shm', (file) => overwrite(file, 0, 1, 0xa5)],
    ['the index of the log is zeroed', 'shelflist.db-shm', (file) => overwrite(file, 0, 1, 0)],
    ['the database is removed', 'shelflist.db', (file) => rm(file)],
  ];
  const kinds = sized({ short: damage.filter((_, i) => i % 3 === 0), long: damage });
  for (const [what, name, change] of kinds) {
    test(`${what}: every call ends, with an answer or a clear error, and the process survives`, async (t) => {
      const folder = await temporaryFolder(t);
      await fill(folder);
      const { store, child } = await openElsewhere(t, `file:${folder}`);
      for (let i = 0; i < 50; i++) await store.create({ ...emma, title: `since ${i}` });
      await store.count({ q: 'emma' });
      await change(join(folder, name));
      const calls = [
        ...Array.from({ length: 20 }, (_, i) => () => store.get(i * 97 + 1)),
        () => store.find({ q: 'word1' }, { limit: 50 }),
        () => store.find({ sort: 'title' }, { limit: 50 }),
        () => store.count({ author: 'author 3' }),
        () => store.create(emma),
        () => store.update(7, { year: 3 }),
        () => store.delete(8),
        () => store.version(),
      ];
      for (const call of calls) {
        await call().catch((error: unknown) => {
          assert.match((error as { code?: string }).code ?? String(error), /^(store_damaged|unavailable)$/);
        });
      }
      assert.deepEqual([child.exitCode, child.signalCode], [null, null]);
    });
  }
});

/** A closed store with some thousand books. */
async function fill(folder: string): Promise<void> {
  const store = await openStore(`file:${folder}`);
  await Promise.all(
    Array.from({ length: 3000 }, (_, i) =>
      store.create({ title: `emma word${i % 7} ${i}`, author: `author ${i % 11}`, year: i }),
    ),
  );
  await store.close();
}

async function overwrite(file: string, from: number, to: number, byte: number): Promise<void> {
  const { size } = await stat(file);
  const [start, end] = [Math.ceil(size * from), Math.ceil(size * to)];
  const handle = await openFileHandle(file, 'r+');
  await handle.write(Buffer.alloc(end - start, byte), 0, end - start, start);
  await handle.close();
}

async function useDamaged(t: Parameters<typeof openElsewhere>[0], folder: string): Promise<void> {
  const codes = /^(store_damaged|unavailable|store_unusable)$/;
  // Twice: the first start may find the damage only in the log that it moves into the file.
  for (let start = 0; start < 2; start++) {
    const refusal = await openStore(`file:${folder}`).then(
      closeFiles,
      (error: unknown) => error as { code: string },
    );
    if (refusal === undefined) continue;
    assert.match(refusal.code, codes);
    return;
  }
  const { store, child } = await openElsewhere(t, `file:${folder}`);
  let failed = 0;
  const calls = [
    ...Array.from({ length: 30 }, (_, i) => () => store.get(i * 97 + 1)),
    () => store.find({ q: 'word1' }, { limit: 50 }),
    () => store.find({ sort: '-title' }, { limit: 50 }),
    () => store.create(emma),
    () => store.update(2900, { title: 'changed' }),
  ];
  for (const call of calls) {
    await call().catch((error: unknown) => {
      failed++;
      assert.match((error as { code: string }).code, codes);
    });
  }
  assert.ok(failed > 0, 'at least one call fails');
  assert.deepEqual([child.exitCode, child.signalCode], [null, null]);
}

test('two installed copies of the package in one process use one folder without harm', async (t) => {
  const root = join(import.meta.dirname, '../../..');
  const cwd = await temporaryFolder(t);
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { exports: object };
  for (const copy of ['one', 'two']) {
    const folder = join(cwd, copy, 'node_modules');
    await mkdir(join(folder, 'shelflist'), { recursive: true });
    await cp(join(root, 'dist'), join(folder, 'shelflist/dist'), { recursive: true });
    const own = { name: 'shelflist', type: 'module', exports: manifest.exports };
    await writeFile(join(folder, 'shelflist/package.json'), JSON.stringify(own));
    for (const name of ['@photostructure/sqlite', 'node-gyp-build']) {
      const from = [
        join(root, 'node_modules', name),
        join(root, 'node_modules/@photostructure/sqlite/node_modules', name),
      ];
      for (const each of from)
        if (await stat(each).catch(() => undefined))
          await cp(each, join(folder, name), { recursive: true, dereference: true });
    }
    await writeFile(join(cwd, copy, 'index.mjs'), "export * from 'shelflist';\n");
  }
  const { stdout, stderr, code } = await runModule(
    cwd,
    `const copies = await Promise.all(['one', 'two'].map((name) => import('./' + name + '/index.mjs')));
     if (copies[0].openStore === copies[1].openStore) throw new Error('it is one copy');
     const stores = await Promise.all(copies.map(({ openStore }) => openStore('file:data')));
     const ids = [];
     await Promise.all(stores.flatMap((store, s) => Array.from({ length: 10 }, async () => {
       for (let i = 0; i < 30; i++) {
         const { id } = await store.create({ title: 'copy ' + s, author: '', year: i });
         ids.push(id);
         if ((await stores[1 - s].get(id))?.year !== i) throw new Error('the other copy does not see book ' + id);
       }
     })));
     await stores[0].close(); // The other one keeps its locks.
     for (let i = 0; i < 20; i++) ids.push((await stores[1].create({ title: 'left', author: '', year: i })).id);
     await stores[1].close();
     console.log(JSON.stringify(ids));`,
  );
  assert.deepEqual([stderr, code], ['', 0]);
  const ids = JSON.parse(stdout) as number[];
  assert.equal(new Set(ids).size, 620);
  assert.equal(readFileRows(join(cwd, 'data'), 'SELECT id FROM books').length, 620);
  assert.deepEqual(faultsOf(join(cwd, 'data')), []);
});
