import assert from 'node:assert/strict';
import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileMode } from '../../../src/lib/atomic-file.ts';
import { openTarget } from '../../../src/store/sqlite/copy.ts';
import { openStore } from '../../../src/index.ts';
import { copyAll, type CopyTarget } from '../../../src/store/contract/copy.ts';
import { backUpStore, openCopySource, openCopyTarget } from '../../../src/store/drivers.ts';
import { changeFile, pagesOf } from '../../support/sqlite-file.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';

const skip = process.platform === 'win32' && 'there are no modes';

test('an unfinished copy is readable by its user only, and removed if it is stopped', { skip }, async (t) => {
  const path = await temporaryFolder(t);
  const target = await openTarget(path);
  const names = await readdir(path);
  assert.ok(names.length > 0);
  for (const name of names) assert.equal(await fileMode(join(path, name)), '600', name);
  await target.close();
  assert.deepEqual(await readdir(path), []);
});

/** A closed store with some books, and its folder. */
async function filledStore(scope: Scope): Promise<string> {
  const path = join(await temporaryFolder(scope), 'store');
  const store = await openStore(`file:${path}`);
  for (const batch of ['batch-first', 'batch-second', 'batch-third'])
    await store.createMany(
      Array.from({ length: 200 }, (_, i) => ({ title: `A book with the number ${i}` })),
      { batch },
    );
  await store.close();
  return path;
}

/** Makes a page of books end early, so that it reads as fewer books. */
async function shortenPage(file: string, page: number): Promise<void> {
  const handle = await open(file, 'r+');
  const header = Buffer.alloc(8);
  await handle.read(header, 0, 8, (page - 1) * 4096);
  assert.equal(header[0], 13, 'a leaf of a table');
  header.writeUInt16BE(header.readUInt16BE(3) - 20, 3);
  await handle.write(header, 0, 8, (page - 1) * 4096);
  await handle.close();
}

const signal = AbortSignal.timeout(60_000);
const copyTo = async (
  from: Parameters<typeof openCopySource>[0],
  to: string,
  change = (target: CopyTarget) => target,
) => {
  const source = await openCopySource(from);
  const target = await openCopyTarget(to);
  try {
    return await copyAll(source, change(target), signal, () => undefined);
  } finally {
    await target.close();
    await source.close();
  }
};

test('a copy of a store or a backup with a page that reads as fewer books is refused, with what to do', async (t) => {
  const path = await filledStore(t);
  const [url, backup] = [`file:${path}`, `${path}.backup`];
  await backUpStore(url, backup);
  const page = pagesOf(path, 'books')[1] ?? 0;
  for (const file of [join(path, 'shelflist.db'), backup]) await shortenPage(file, page);
  await assert.rejects(openCopySource(url), {
    code: 'store_unusable',
    message:
      /^cannot use the store \S+store: it is damaged \(.+\); move the folder away and restore a backup/,
  });
  await assert.rejects(openCopySource({ file: backup, name: 'x.backup' }), {
    code: 'store_unusable',
    message: /^cannot use the store x\.backup: it is damaged \(.+\); choose another one$/,
  });
});

test('a file that is no database is refused as the source of a copy as a backup, not as a store', async () => {
  await assert.rejects(openCopySource({ file: import.meta.filename, name: 'x' }), {
    message: 'cannot use the store x: it is damaged, or not a backup; choose another one',
  });
});

test('a copy keeps the order of the batches, whatever their times are', async (t) => {
  const path = await filledStore(t);
  changeFile(path, "UPDATE changes SET at = at + 86400000 WHERE batch = 'batch-first'");
  const to = `file:${path}-copy`;
  await copyTo(`file:${path}`, to);
  const store = await openStore(to);
  t.after(() => store.close());
  const { batches } = await store.batches({ limit: 10 });
  const created = batches.map(({ batch, created }) => [batch, created]);
  assert.deepEqual(created, [
    ['batch-third', 200],
    ['batch-second', 200],
    ['batch-first', 200],
  ]);
});

test('a copy into a folder in which a store appears meanwhile fails, and leaves only that store', async (t) => {
  const path = await filledStore(t);
  const to = `${path}-copy`;
  const appearing = (target: CopyTarget): CopyTarget => ({
    ...target,
    async release() {
      await (await openStore(`file:${to}`)).close();
      await target.release();
    },
  });
  await assert.rejects(copyTo(`file:${path}`, `file:${to}`, appearing), {
    code: 'store_unusable',
    message: `cannot use the store ${to}: there is a store already; stop its service and move the folder away first`,
  });
  assert.deepEqual(
    (await readdir(to)).filter((name) => name.endsWith('.tmp')),
    [],
  );
  assert.ok((await readdir(to)).includes('shelflist.db'));
});

test('a copy that reads back as something else never becomes a store', async (t) => {
  const path = await filledStore(t);
  const other = await filledStore(t);
  changeFile(other, "UPDATE books SET title = 'other' WHERE id = 7");
  const to = `${path}-copy`;
  await mkdir(to);
  const differing = (target: CopyTarget): CopyTarget => ({
    ...target,
    read: () => openCopySource(`file:${other}`),
  });
  await assert.rejects(copyTo(`file:${path}`, `file:${to}`, differing), {
    code: 'store_unusable',
    message: /^the copy differs from its source \(digest \w+, not \w+\).+; empty the target, and copy again$/,
  });
  assert.deepEqual(await readdir(to), []);
});
