import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  open as openFile,
  readFile,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { open as openLmdb } from 'lmdb';
import { openStore } from '../../../src/index.ts';
import { closeEnvironment, openEnvironment } from '../../../src/store/embedded/environment.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { testStore } from '../suite.ts';

/** The records themselves, as another program (a restore, a vandal) reaches them. */
function openRecords(path: string) {
  const environment = openLmdb({ path, noSubdir: false, overlappingSync: false });
  const records = environment.openDB<string, number>({ name: 'books', encoding: 'string' });
  return { environment, records };
}

testStore('embedded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shelflist-'));
  const path = join(folder, 'books.d'); // A dot in the name must not make it a file.
  return {
    open: () => openStore(`file:${path}`),
    async putBack(books) {
      const environment = await openEnvironment(path);
      await environment.root.transaction(() => {
        for (const book of books) environment.books.putSync(book.id, JSON.stringify(book));
      });
      await closeEnvironment(environment);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
});

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

test('several processes write one store at once: no id twice, nothing lost', async (t) => {
  const folder = await temporaryFolder(t);
  const writer = join(import.meta.dirname, '../../support/writer.ts');
  const runs = Array.from({ length: 3 }, async () => {
    const child = fork(writer, [`file:${folder}`, '400'], { execArgv: ['--import', 'tsx'] });
    const [[ids]] = (await Promise.all([once(child, 'message'), once(child, 'exit')])) as [
      [number[]],
      unknown,
    ];
    return ids;
  });
  const ids = (await Promise.all(runs)).flat();
  assert.equal(new Set(ids).size, 1200);
  const store = await openStore(`file:${folder}`);
  t.after(() => store.close());
  const stored: number[] = [];
  for await (const page of store.list()) stored.push(...page.map((book) => book.id));
  assert.deepEqual(
    stored,
    ids.sort((a, b) => a - b),
  );
});

describe('a path that cannot be a store is refused at the start, with what to do', () => {
  const table: [what: string, prepare: (path: string) => Promise<unknown>, message: RegExp][] = [
    ['a file', async (path) => writeFile(path, 'x'), /is a file; name a folder/],
    [
      'below a file',
      async (path) => {
        await writeFile(path, 'x');
        return join(path, 'data');
      },
      /is a file; name a folder/,
    ],
    [
      'a folder that holds something else',
      async (path) => {
        await mkdir(path);
        await writeFile(join(path, 'thesis.doc'), 'x');
      },
      /holds something else \(thesis\.doc\)/,
    ],
    [
      'noise in the place of the data',
      async (path) => {
        await mkdir(path);
        await writeFile(join(path, 'data.mdb'), Buffer.alloc(20_000, 'noise'));
      },
      /not a shelflist store, or it is damaged/,
    ],
    [
      'an LMDB environment of another program',
      async (path) => {
        const environment = openLmdb({ path, noSubdir: false });
        await environment.openDB({ name: 'theirs' }).put('a', 'b');
        await environment.close();
      },
      /belongs to another program/,
    ],
    [
      'a later format',
      async (path) => {
        await (await openStore(`file:${path}`)).close();
        const environment = openLmdb({ path, noSubdir: false });
        await environment.openDB({ name: 'meta', encoding: 'json' }).put('format', 'shelflist 99');
        await environment.close();
      },
      /written as "shelflist 99".*upgrade/,
    ],
    [
      'a data file that was cut off',
      async (path) => {
        const store = await openStore(`file:${path}`);
        await Promise.all(Array.from({ length: 500 }, () => store.create(emma)));
        await store.close();
        await truncate(join(path, 'data.mdb'), 8192);
      },
      /cut off; move the folder away and put a backup in its place/,
    ],
    [
      'a counter that is no number',
      async (path) => {
        await (await openStore(`file:${path}`)).close();
        const environment = openLmdb({ path, noSubdir: false });
        await environment.openDB({ name: 'meta', encoding: 'json' }).put('last-id', 'many');
        await environment.close();
      },
      /counter of ids is not a number/,
    ],
  ];
  for (const [what, prepare, message] of table) {
    test(what, async (t) => {
      const path = join(await temporaryFolder(t), 'place');
      const prepared = await prepare(path);
      const place = typeof prepared === 'string' ? prepared : path;
      await assert.rejects(openStore(`file:${place}`), (error: Error & { code: string }) => {
        assert.match(error.message, message);
        assert.ok(['store_unusable', 'store_damaged'].includes(error.code));
        return true;
      });
    });
  }

  test(
    'a folder where none can be made',
    { skip: process.platform !== 'linux' && 'there is no /proc' },
    async () => {
      await assert.rejects(openStore('file:/proc/shelflist/data'), { code: 'store_unusable' });
    },
  );

  test('a folder that this user may not write', async (t) => {
    const isRoot = process.getuid?.() === 0;
    // Root may write anywhere but where the kernel itself refuses.
    const path = isRoot ? '/sys/kernel' : await temporaryFolder(t);
    if (!isRoot) await chmod(path, 0o555);
    await assert.rejects(openStore(`file:${join(path, 'data')}`), /may not write there/);
  });
});

test('ids go on past all books that were put back beside an older counter, taken or not', async (t) => {
  const path = await temporaryFolder(t);
  const store = await openStore(`file:${path}`);
  t.after(() => store.close());
  await store.create(emma);
  const { records, environment } = openRecords(path);
  await records.put(40, JSON.stringify({ id: 40, ...emma }));
  await environment.close();
  assert.equal((await store.create(emma)).id, 41);
});

test('on a full disk writes are "unavailable", reads go on, and what was acknowledged is there', async (t) => {
  const folder = await temporaryFolder(t);
  const filler = join(import.meta.dirname, '../../support/filler.ts');
  // A limit on the size of files (in KiB) is a full disk that needs no rights.
  const command = `ulimit -f 1000; exec "${process.execPath}" --import tsx "${filler}" "file:${folder}"`;
  const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [output, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  assert.equal(code, 0);
  const { acknowledged, refused, listed } = JSON.parse(output) as Record<string, number[]>;
  assert.ok(acknowledged && acknowledged.length > 100);
  assert.ok(refused && refused.length > 100);
  assert.deepEqual(listed, acknowledged);
  const store = await openStore(`file:${folder}`); // There is room again.
  t.after(() => store.close());
  assert.equal((await store.create(emma)).id, acknowledged.length + 1);
});

test('while another process is stuck in a write: "unavailable" within 5 s, reads go on, and so do writes when it is gone', async (t) => {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${folder}`);
  t.after(() => store.close());
  await store.create(emma);
  const holder = fork(join(import.meta.dirname, '../../support/holder.ts'), [folder], {
    execArgv: ['--import', 'tsx'],
  });
  t.after(() => holder.kill('SIGKILL'));
  await once(holder, 'message');
  const begun = performance.now();
  const writes = [store.create(emma), store.update(1, { year: 1 }), store.delete(1)];
  assert.deepEqual(await store.get(1), { id: 1, ...emma });
  for (const outcome of await Promise.allSettled(writes)) {
    assert.equal(outcome.status, 'rejected');
    assert.equal((outcome.reason as { code: string }).code, 'unavailable');
  }
  assert.ok(performance.now() - begun < 5000);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  assert.equal((await store.create(emma)).id, 2);
  assert.deepEqual(
    await store.get(1),
    { id: 1, ...emma },
    'what nobody waits for any more is not done later',
  );
});

test("lost+found and dot files do not make a folder somebody else's", async (t) => {
  const path = await temporaryFolder(t);
  await mkdir(join(path, 'lost+found'));
  await writeFile(join(path, '.DS_Store'), '');
  await (await openStore(`file:${path}`)).close();
});

test('a record that is no book is an error and never an answer', async (t) => {
  const path = await temporaryFolder(t);
  const store = await openStore(`file:${path}`);
  t.after(() => store.close());
  await store.create(emma);
  const { records, environment } = openRecords(path);
  const damage = ['not JSON', '{"id":2,"title":"Emma"}', '{"id":1,"title":"","author":"","year":0}'];
  for (const text of damage) {
    await records.put(2, text);
    await assert.rejects(store.get(2), { code: 'store_damaged' });
    await assert.rejects(store.update(2, { year: 1 }), { code: 'store_damaged' });
    assert.ok(await store.get(1));
  }
  await environment.close();
});

test('a copy of the files is a whole store', async (t) => {
  const path = await temporaryFolder(t);
  const store = await openStore(`file:${join(path, 'a')}`);
  await store.create(emma);
  await store.close();
  await mkdir(join(path, 'b'));
  await copyFile(join(path, 'a/data.mdb'), join(path, 'b/data.mdb'));
  const copy = await openStore(`file:${join(path, 'b')}`);
  t.after(() => copy.close());
  assert.deepEqual(await copy.get(1), { id: 1, ...emma });
});

test('the data file is that of LMDB, with its magic number where the check looks for it', async (t) => {
  const path = await temporaryFolder(t);
  await (await openStore(`file:${path}`)).close();
  assert.equal((await readFile(join(path, 'data.mdb'))).readUInt32LE(24), 0xbeefc0de);
  const file = await openFile(join(path, 'data.mdb'), 'r+');
  await file.write(Buffer.from([0]), 0, 1, 24);
  await file.close();
  await assert.rejects(openStore(`file:${path}`), /not a shelflist store/);
});
