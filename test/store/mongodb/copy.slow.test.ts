import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { copyAll, type CopyTarget } from '../../../src/store/contract/copy.ts';
import { openCopySource, openCopyTarget } from '../../../src/store/drivers.ts';
import { useMongod } from '../../support/mongodb-tests.ts';
import { changeFile } from '../../support/sqlite-file.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';

const { skip, database, opened } = await useMongod();

const names = ['batch-first', 'batch-second', 'batch-third'];

/** A closed store with three batches, whose times are not in their order. */
async function filledStore(scope: Scope): Promise<string> {
  const path = join(await temporaryFolder(scope), 'store');
  const store = await openStore(`file:${path}`);
  for (const batch of names) await store.createMany([{ title: batch }], { batch });
  await store.update(1, { year: 7 }, { batch: 'batch-third' });
  await store.close();
  changeFile(path, "UPDATE changes SET at = at + 86400000 WHERE batch = 'batch-first' AND kind = 'created'");
  return `file:${path}`;
}

async function copy(from: string, to: string, change = (target: CopyTarget) => target): Promise<void> {
  const source = await openCopySource(from);
  try {
    const target = await openCopyTarget(to);
    try {
      await copyAll(source, change(target), AbortSignal.timeout(60_000), () => undefined);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

const orderIn = async (url: string) => {
  const store = await openStore(url);
  const { batches } = await store.batches({ limit: 10 }).finally(() => store.close());
  return batches.map(({ batch }) => batch);
};

describe('a copy', { skip }, () => {
  test('to MongoDB and back keeps the order of the batches, whatever their times are, and new ones follow', async (t) => {
    const from = await filledStore(t);
    const { url } = await database(t);
    await copy(from, url);
    assert.deepEqual(await orderIn(url), names.toReversed());
    const store = await opened(t, url);
    await store.create({ title: 'later' }, { batch: 'batch-later' });
    await copy(url, `${from}-back`);
    const all = [...names, 'batch-later'].toReversed();
    for (const each of [url, `${from}-back`]) assert.deepEqual(await orderIn(each), all);
  });

  test('is used by no service before it is verified, and a repetition verifies it', async (t) => {
    const from = await filledStore(t);
    const { url } = await database(t);
    const failing = (target: CopyTarget): CopyTarget => ({
      ...target,
      read: () => Promise.reject(new Error('killed')),
    });
    await assert.rejects(copy(from, url, failing), /killed/);
    await assert.rejects(openStore(url), /a copy into it is not complete; repeat `shelflist copy`/);
    await copy(from, url);
    assert.deepEqual(await orderIn(url), names.toReversed());
  });

  test('of a source that changed after an interruption is refused, and stays unusable', async (t) => {
    const from = await filledStore(t);
    const { url } = await database(t);
    const failing = (target: CopyTarget): CopyTarget => ({
      ...target,
      read: () => Promise.reject(new Error('killed')),
    });
    await assert.rejects(copy(from, url, failing), /killed/);
    const store = await openStore(from);
    await store.update(2, { title: 'changed' });
    await store.close();
    await assert.rejects(copy(from, url), /the copy differs from its source/);
    await assert.rejects(openStore(url), /a copy into it is not complete/);
  });

  test('into a database into which another copy writes is refused, with what to do', async (t) => {
    const from = await filledStore(t);
    const { url } = await database(t);
    const [first, second] = [await openCopyTarget(url), await openCopyTarget(url)];
    t.after(() => Promise.all([first.close(), second.close()]));
    const record = { id: 1, fields: { title: 'x', author: '', year: 0 }, creation: undefined, changes: [] };
    await first.write([record]);
    await assert.rejects(second.write([record]), {
      code: 'store_unusable',
      message: 'another copy writes into the same database; wait for its end, and repeat this one',
    });
    await assert.rejects(copy(from, url), /the copy differs/);
  });
});
