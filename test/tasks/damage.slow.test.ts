import assert from 'node:assert/strict';
import { cp, mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openStore } from '../../src/index.ts';
import { shell } from '../support/cli.ts';
import { blocksOf } from '../support/documents.ts';
import { closeFiles } from '../support/garbage.ts';
import { root, run } from '../support/packed.ts';
import { damageTable, faultsOf } from '../support/sqlite-file.ts';
import { temporaryFolder } from '../support/temp.ts';

const blocks = blocksOf('docs/damage.md');
const [check = '', verify = '', restore = '', install, salvage = ''] = blocks
  .filter(({ language }) => language === 'sh')
  .map(({ code }) => code);
const script = blocks.find(({ language }) => language === 'js')?.code ?? '';
const count = 1500;

/** Fills a store, and finds a page of its table of books; in a process of its own, which leaves no file open. */
const filling = `
  const { openStore } = await import('${pathToFileURL(join(root, 'dist/index.js')).href}');
  const store = await openStore('file:./data');
  for (let first = 1; first <= ${count}; first += 500)
    await store.createMany(
      Array.from({ length: 500 }, (_, i) => ({ title: 'Volume ' + (first + i), author: 'Anonymous' })),
    );
  for (const id of [${count + 1}, ${count + 2}]) {
    await store.create({ title: 'Deleted' });
    await store.delete(id);
  }
  await store.close();
  const { DatabaseSync } = await import('${pathToFileURL(join(root, 'node_modules/@photostructure/sqlite/dist/index.mjs')).href}');
  const sql = "SELECT pageno FROM dbstat WHERE name = 'books' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 3";
  console.log(new DatabaseSync('data/shelflist.db').prepare(sql).get().pageno);`;

/** Overwrites a page, as a failing disk does. */
async function damage(data: string, page: number): Promise<void> {
  const file = await open(join(data, 'shelflist.db'), 'r+');
  await file.write(Buffer.alloc(4096, 0xff), 0, 4096, (page - 1) * 4096);
  await file.close();
}

test('docs/damage.md: a damaged catalogue is found, restored from a copy, and saved without one', async (t) => {
  const cwd = await temporaryFolder(t);
  const data = join(cwd, 'data');
  /** Types a block. `doctor` has the status 1 while the service is stopped. */
  const type = (code: string, place = cwd) => {
    const typed = code.replaceAll('npx --no-install ', '').replace(/^shelflist doctor$/gm, '$& || true');
    return shell(`set -e\n${typed}`, { cwd: place });
  };
  const typeWell = async (code: string, place = cwd) => {
    const { code: status, stdout, stderr } = await type(code, place);
    assert.equal(status, 0, `${code}\n${stderr}`);
    return stdout + stderr;
  };

  await typeWell('shelflist init');
  const filled = await run(process.execPath, ['--input-type=module', '--eval', filling], { cwd });
  assert.equal(filled.code, 0, filled.stderr);
  await typeWell('shelflist backup books.backup');
  await damage(data, Number(filled.stdout));

  assert.match(await typeWell(check), /store\tproblem\t.*is damaged/);
  const refused = await type('shelflist serve --port 0');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /is damaged.*; move the folder away and restore a backup in its place/);
  assert.match(await typeWell(verify), /is sound: 1500 books, the last id is 1502, the last change was at/);

  const copy = await temporaryFolder(t);
  await cp(cwd, copy, { recursive: true });

  assert.match(await typeWell(restore), /store\tok\t/);
  const restored = await openStore(`file:${data}`);
  assert.equal(await restored.count({}), count);
  await closeFiles(restored);

  // Without a copy.
  assert.equal(install, 'npm install shelflist\n');
  await mkdir(join(copy, 'node_modules'));
  await symlink(root, join(copy, 'node_modules/shelflist'));
  await symlink(join(root, 'node_modules/@photostructure'), join(copy, 'node_modules/@photostructure'));
  await writeFile(join(copy, 'salvage.mjs'), script);
  const withoutCounter = join(copy, 'without-counter');
  await cp(join(copy, 'data'), withoutCounter, { recursive: true });
  const printed = await typeWell(salvage, copy);
  const [repeat = ''] = /^node salvage.*$/m.exec(salvage) ?? [];
  assert.ok(printed.startsWith(await typeWell(repeat, copy)), 'a second run reports the same');
  assert.match(printed, /store\tok\t/);
  const [, saved, unreadable] =
    /^saved (\d+) books; (\d+) ids cannot be read; the next id is 1503$/m.exec(printed)?.map(Number) ?? [];
  assert.equal(Number(saved) + Number(unreadable), count);
  assert.ok(Number(unreadable) > 0 && Number(saved) > count * 0.9, printed);
  const fresh = await openStore(`file:${join(copy, 'data')}`);
  assert.equal(await fresh.count({}), saved);
  assert.deepEqual((await fresh.find({ q: 'volume 7' }, { limit: 1 })).books, [
    { id: 7, title: 'Volume 7', author: 'Anonymous', year: 0 },
  ]);
  assert.equal((await fresh.create({})).id, count + 3, 'the ids of deleted books are not used again');
  await closeFiles(fresh);
  assert.deepEqual(faultsOf(join(copy, 'data')), []);

  // Without the counter, too.
  await damageTable(withoutCounter, 'sqlite_sequence');
  const unknown = await type('node salvage.mjs without-counter refused', copy);
  assert.equal(unknown.code, 1);
  assert.equal(unknown.stderr, 'The last id cannot be read: append the highest id that was ever given.\n');
  assert.match(
    await typeWell('node salvage.mjs without-counter guessed 5000', copy),
    /the next id is 6001$/m,
  );
  const guessed = await openStore(`file:${join(copy, 'guessed')}`);
  assert.equal(await guessed.count({}), saved);
  assert.equal((await guessed.create({})).id, 6001);
  await closeFiles(guessed);
});
