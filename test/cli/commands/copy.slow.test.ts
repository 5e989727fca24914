import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openStore } from '../../../src/index.ts';
import type { CompleteStore } from '../../../src/store.ts';
import { newUndoId } from '../../../src/store/contract/undo.ts';
import { cleanEnvironment, program, shelflist } from '../../support/cli.ts';
import { openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';
import { faultsOf } from '../../support/sqlite-file.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { sized } from '../../support/size.ts';

const mongod = await startMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));
const skip = 'skip' in mongod && mongod.skip;
const rounds = sized({ short: 1, long: 6 });

/** Makes a catalogue in which every kind of change happened. */
async function fill(url: string, books = 60): Promise<void> {
  const store = await openStore(url);
  await store.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
  await store.create({ title: 'a\0b', author: '红楼梦', year: -(2 ** 53 - 1) });
  await store.createMany(
    Array.from({ length: books }, (_, i) => ({ title: `Imported ${i}`, author: `Author ${i % 7}`, year: i })),
    { batch: 'import-of-books' },
  );
  for (let year = 1; year < 5; year++) await store.update(1, { year }, { batch: `change-${year}-of-4` });
  for (let id = 5; id < 15; id++) await store.delete(id, { batch: 'delete-of-ten' });
  await store.undo('delete-of-ten', { as: newUndoId('delete-of-ten'), limit: 4 });
  await store.delete(2);
  await store.revert(1);
  const { id } = await store.create({ title: 'last' });
  await store.delete(id);
  await store.close();
}

/** What a store answers, without what differs from store to store. */
async function answersOf(store: CompleteStore): Promise<unknown> {
  const books = [];
  for await (const page of store.iterate()) books.push(...page);
  const { id: next } = await store.create({});
  const histories = [];
  for (let id = 1; id < next; id++)
    histories.push((await store.history(id))?.map(({ version: _, ...state }) => state));
  const trash = (await store.trash({ limit: 1000 })).books;
  const { batches } = await store.batches({ limit: 1000 });
  return {
    next,
    books,
    histories,
    trash: trash.toSorted((a, b) => a.id - b.id),
    batches: batches
      .map(({ at: _, ...numbers }) => numbers)
      .toSorted((a, b) => a.batch.localeCompare(b.batch)),
    found: (await store.find({ q: 'imported 9' }, { limit: 10 })).books,
    same: await store.findDuplicatesOf([{ title: 'imported 3', author: 'AUTHOR 3', year: 3 }]),
  };
}

async function readAnswers(url: string): Promise<unknown> {
  const store = await openStore(url);
  return answersOf(store).finally(() => store.close());
}

async function database(t: TestContext): Promise<string> {
  const url = newDatabaseUrl(mongod);
  await openDriver(t, url);
  return url;
}

/** Runs the command; returns the digest that it prints. */
async function copy(cwd: string, from: string, to: string): Promise<string> {
  const { code, stderr } = await shelflist(['copy', from, to], { cwd });
  assert.equal(code, 0, stderr);
  return /^digest of both: ([0-9a-f]{64})$/m.exec(stderr)?.[1] ?? assert.fail(stderr);
}

describe('copy', { skip }, () => {
  test('from SQLite to MongoDB and back keeps everything, by the same digest', async (t) => {
    const cwd = await temporaryFolder(t);
    await fill(`file:${join(cwd, 'a')}`);
    const url = await database(t);
    const digest = await copy(cwd, 'file:./a', url);
    assert.equal(await copy(cwd, url, 'file:./b'), digest);
    assert.equal(await copy(cwd, 'file:./b', 'file:./c'), digest);
    const expected = await readAnswers(`file:${join(cwd, 'a')}`);
    assert.deepEqual(await readAnswers(`file:${join(cwd, 'b')}`), expected);
    assert.deepEqual(await readAnswers(url), expected);
    assert.deepEqual(faultsOf(join(cwd, 'b')), []);
    for (const store of [await openStore(`file:${join(cwd, 'c')}`), await openStore(url)]) {
      t.after(() => store.close());
      const undone = await store.undo('import-of-books', { as: newUndoId('import-of-books'), limit: 1000 });
      assert.deepEqual([undone?.undone, undone?.left], [54, [10, 9, 8, 7, 6, 5]]);
    }
  });

  test('of a backup, also compressed, is that of the store', async (t) => {
    const cwd = await temporaryFolder(t);
    await fill(`file:${join(cwd, 'a')}`);
    for (const name of ['x.backup', 'x.backup.gz'])
      await shelflist(['backup', name, '-d', 'file:./a'], { cwd });
    const digest = await copy(cwd, 'file:./a', 'file:./b');
    assert.equal(await copy(cwd, 'x.backup', 'file:./c'), digest);
    assert.equal(await copy(cwd, 'x.backup.gz', await database(t)), digest);
  });

  test('says which changes a MongoDB does not keep', async (t) => {
    const cwd = await temporaryFolder(t);
    const store = await openStore(`file:${join(cwd, 'a')}`);
    await store.create({});
    for (let year = 1; year <= 40; year++) await store.update(1, { year });
    await store.update(1, { title: 'x'.repeat(40_000) });
    await store.update(1, { title: 'y' });
    await store.close();
    const { code, stderr } = await shelflist(['copy', 'file:./a', await database(t)], { cwd });
    assert.match(stderr, /\n11 older changes left out, which the store does not keep\n/);
    assert.equal(code, 0);
  });

  test('refuses a target that has a catalogue, and sources and targets that are none', async (t) => {
    const cwd = await temporaryFolder(t);
    await fill(`file:${join(cwd, 'a')}`);
    await fill(`file:${join(cwd, 'b')}`);
    const full = await database(t);
    await fill(full);
    for (const [from, to, message, status] of [
      ['file:./a', 'file:./b', /there is a store already/, 1],
      ['file:./a', full, /it has a catalogue already; name an empty database/, 1],
      ['file:./none', 'file:./c', /there is none/, 1],
      ['x.backup', 'file:./c', /cannot read x\.backup: no such file/, 1],
      ['memory:', 'file:./c', /books in memory cannot be copied/, 1],
      ['env:NONE', 'file:./c', /the environment variable NONE is not set/, 2],
      ['mongodb://u:secret@localhost/a', 'file:./c', /holds a password/, 2],
      ['env:QUOTED', 'file:./c', /variable QUOTED has quotes or spaces around it; remove them$/m, 2],
      ['file:./a', 'env:SPACED', /variable SPACED has quotes or spaces around it; remove them$/m, 2],
      ['env:WRONG', 'file:./c', /variable WRONG is none of these: file:PATH, mongodb:/, 2],
    ] as const) {
      const env = {
        QUOTED: '"mongodb://u:secret@localhost/a"',
        SPACED: ' mongodb://u:secret@localhost/a',
        WRONG: 'mongo://u:secret@localhost/a',
      };
      const { code, stderr } = await shelflist(['copy', from, to], { cwd, env });
      const tried = await shelflist(['copy', from, to, '--dry-run'], { cwd, env });
      assert.deepEqual([tried.code, tried.stderr], [code, stderr]);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /secret/);
      assert.equal(code, status, stderr);
    }
    assert.deepEqual((await readdir(cwd)).includes('c'), false);
  });

  for (const kind of ['SQLite', 'MongoDB'])
    test(`to ${kind}, killed at several of its steps, is complete when it is repeated, and no service uses it before`, async (t) => {
      const cwd = await temporaryFolder(t);
      await fill(`file:${join(cwd, 'a')}`, 1000);
      const source = await openStore(`file:${join(cwd, 'a')}`);
      for (let i = 0; i < sized({ short: 1, long: 3 }); i++)
        await source.createMany(Array.from({ length: 1000 }, () => ({ title: 'more' })));
      await source.close();
      const to = kind === 'SQLite' ? 'file:./b' : await database(t);
      const db = kind === 'SQLite' ? undefined : await openDriver(t, to);
      for (let round = 0; round < rounds; round++) {
        const child = spawn(process.execPath, [program, 'copy', 'file:./a', to], {
          cwd,
          env: cleanEnvironment(cwd),
          stdio: 'ignore',
        });
        const ended = once(child, 'exit');
        const isBegun = async () =>
          db === undefined
            ? (await readdir(join(cwd, 'b')).catch(() => [])).length > round
            : (await db.collection('books').estimatedDocumentCount()) > 500 * round;
        while (child.exitCode === null && !(await isBegun())) await setTimeout(2);
        child.kill('SIGKILL');
        await ended;
        if (child.exitCode === 0) break;
        if (kind === 'MongoDB')
          await assert.rejects(openStore(to), /a copy into it is not complete; repeat `shelflist copy`/);
        else assert.equal((await readdir(join(cwd, 'b'))).includes('shelflist.db'), false);
      }
      const again = await shelflist(['copy', 'file:./a', to], { cwd });
      assert.ok(again.code === 0 || again.stderr.includes('already'), again.stderr);
      const own = kind === 'SQLite' ? `file:${join(cwd, 'b')}` : to;
      assert.deepEqual(await readAnswers(own), await readAnswers(`file:${join(cwd, 'a')}`));
    });
});
