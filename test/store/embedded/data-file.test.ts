import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { copyFile, open, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { openStore } from '../../../src/index.ts';
import { inspectDataFile } from '../../../src/store/embedded/data-file.ts';
import { temporaryFolder } from '../../support/temp.ts';

const lastPageAt = 144;
const pageSize = 4096;

/** A store with some books; gives its data file, a copy that nobody has open. */
async function dataFile(t: TestContext, fill: 'books' | 'free pages at the end'): Promise<string> {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${join(folder, 'data')}`);
  const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };
  for (let i = 0; i < 20; i++) await store.create({ ...emma, author: 'A'.repeat(3000) });
  if (fill === 'free pages at the end') {
    // In one commit: what the long book had taken is free again, and was never written.
    await Promise.all([store.create({ ...emma, title: 'E'.repeat(400_000) }), store.delete(21)]);
    await store.create(emma);
  }
  await store.close();
  const copy = join(folder, 'copy.mdb');
  await copyFile(join(folder, 'data', 'data.mdb'), copy);
  return copy;
}

/** What a store gives that has this data file. */
async function readTitles(t: TestContext, file: string): Promise<string[]> {
  const folder = await temporaryFolder(t);
  await copyFile(file, join(folder, 'data.mdb'));
  const store = await openStore(`file:${folder}`);
  const titles: string[] = [];
  for await (const page of store.list()) titles.push(...page.map(({ title }) => title));
  await store.close();
  return titles;
}

async function lastPageOf(file: string): Promise<number> {
  const handle = await open(file);
  const bytes = Buffer.alloc(2 * pageSize);
  await handle.read(bytes, 0, bytes.length, 0);
  await handle.close();
  const lastPages = [0, pageSize].map((start) => Number(bytes.readBigUInt64LE(start + lastPageAt)));
  return Math.max(...lastPages);
}

/** The page of a book. */
function inUse(bytes: Buffer): number {
  return Math.floor(bytes.lastIndexOf('A'.repeat(3000)) / pageSize);
}

describe('a data file', () => {
  test('of some books is whole', async (t) => {
    assert.equal(await inspectDataFile(await dataFile(t, 'books')), 'whole');
  });

  test('that is shorter than its last page, because that is free, is whole', async (t) => {
    const file = await dataFile(t, 'free pages at the end');
    const { size } = await stat(file);
    assert.ok(size < ((await lastPageOf(file)) + 1) * pageSize, 'it is shorter');
    assert.equal(await inspectDataFile(file), 'whole');
  });

  for (const fill of ['books', 'free pages at the end'] as const) {
    test(`with ${fill}, of which a half, or all but the head, is gone, is cut off`, async (t) => {
      const file = await dataFile(t, fill);
      const { size } = await stat(file);
      for (const length of [Math.floor(size / 2), 2 * pageSize, pageSize, 200]) {
        await truncate(file, length);
        assert.equal(await inspectDataFile(file), 'cut off', `${length} of ${size} bytes`);
      }
    });
  }

  test('that ends before a page that is in use is cut off', async (t) => {
    const file = await dataFile(t, 'books');
    // Not simply its last page: the index, which is made in the background, may have come and left that free again.
    const lastInUse = (await readFile(file)).lastIndexOf('A'.repeat(3000));
    await truncate(file, lastInUse - (lastInUse % pageSize));
    assert.equal(await inspectDataFile(file), 'cut off');
  });

  test('with a value in the place of a longer one, of the same write, is whole', async (t) => {
    const folder = await temporaryFolder(t);
    const store = await openStore(`file:${folder}`);
    const { id } = await store.create({ title: '', author: '', year: 0 });
    await Promise.all([60_000, 9000].map((length) => store.update(id, { author: 'A'.repeat(length) })));
    await store.close();
    assert.equal(await inspectDataFile(join(folder, 'data.mdb')), 'whole');
  });

  type Damage = (bytes: Buffer, newest: number) => unknown;
  const small: [what: string, damage: Damage, state: string][] = [
    [
      'a page of a write that was never there',
      (bytes) => bytes.writeUInt8(8, inUse(bytes) * pageSize + 12),
      'damaged',
    ],
    ['another size of a page', (bytes, newest) => bytes.writeUInt8(0x50, newest + 49), 'foreign'],
    ['another version of LMDB', (bytes, newest) => bytes.writeUInt8(3, pageSize - newest + 28), 'foreign'],
    [
      'free pages with several values a key',
      (bytes, newest) => bytes.writeUInt8(0x0c, newest + 52),
      'damaged',
    ],
    [
      'a page in use among the free ones',
      (bytes, newest) => {
        const leaf = Number(bytes.readBigUInt64LE(newest + 48 + 40)) * pageSize; // The tree of free pages: one leaf.
        const entry = leaf + 24 + bytes.readUInt16LE(leaf + 24 + bytes.readUInt16LE(leaf + 20) - 2);
        const list = entry + 8 + bytes.readUInt16LE(entry + 6);
        bytes.writeBigUInt64LE(BigInt(inUse(bytes)), list + 8 * Number(bytes.readBigUInt64LE(list)));
      },
      'damaged',
    ],
  ];
  for (const [what, damage, state] of small) {
    test(`with ${what} is ${state}: LMDB would end the process, or write over what is in use`, async (t) => {
      const file = await dataFile(t, 'books');
      const bytes = await readFile(file);
      const isSecond = bytes.readBigUInt64LE(152) < bytes.readBigUInt64LE(pageSize + 152);
      damage(bytes, isSecond ? pageSize : 0);
      await writeFile(file, bytes);
      assert.equal(await inspectDataFile(file), state);
    });
  }

  test('that is empty is whole: LMDB begins with it', async (t) => {
    const file = join(await temporaryFolder(t), 'data.mdb');
    await writeFile(file, '');
    assert.equal(await inspectDataFile(file), 'whole');
  });

  test('that was emptied is cut off: there was something in it', async (t) => {
    const file = await dataFile(t, 'books');
    await truncate(file, 0);
    const later = new Date(Date.now() + 3_600_000);
    await utimes(file, later, later);
    assert.equal(await inspectDataFile(file), 'cut off');
  });

  const noise: [what: string, bytes: Buffer][] = [
    ['text', Buffer.from('title,author,year\n'.repeat(1000))],
    ['zeros', Buffer.alloc(10 * pageSize)],
    ['a few bytes', Buffer.from('x')],
  ];
  for (const [what, bytes] of noise) {
    test(`of ${what} is foreign`, async (t) => {
      const file = join(await temporaryFolder(t), 'data.mdb');
      await writeFile(file, bytes);
      assert.equal(await inspectDataFile(file), 'foreign');
    });
  }

  test('in which any page that is in use was written over is damaged; one with a free page less is as it was', async (t) => {
    const file = await dataFile(t, 'books');
    const before = await readFile(file);
    const outcomes: Record<string, number> = {};
    for (let number = 0; number < before.length / pageSize; number++) {
      const damaged = Buffer.from(before);
      randomFillSync(damaged, number * pageSize, pageSize);
      await writeFile(file, damaged);
      const state = await inspectDataFile(file);
      outcomes[state] = (outcomes[state] ?? 0) + 1;
      if (state === 'whole') assert.equal((await readTitles(t, file)).length, 20, `page ${number}`);
    }
    assert.deepEqual(Object.keys(outcomes).sort(), ['damaged', 'foreign', 'whole']);
    assert.equal(outcomes.foreign, 2, 'without the head of either state it is nobody knows what');
    assert.ok((outcomes.damaged ?? 0) >= 20, 'each book has a page or more');
  });

  test('of any length and with any bytes is one or the other, and looking at it ends', async (t) => {
    const file = await dataFile(t, 'books');
    const before = await readFile(file);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ at: fc.nat(before.length - 1), bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }) }),
          {
            minLength: 1,
            maxLength: 20,
          },
        ),
        fc.option(fc.nat(before.length), { nil: before.length }),
        async (places, length) => {
          const damaged = Buffer.from(before);
          for (const { at, bytes } of places) damaged.set(bytes.subarray(0, damaged.length - at), at);
          await writeFile(file, damaged.subarray(0, length));
          assert.ok(['whole', 'damaged', 'cut off', 'foreign'].includes(await inspectDataFile(file)));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('whose list of free pages is noise, and which is short, is cut off', async (t) => {
    const file = await dataFile(t, 'free pages at the end');
    const handle = await open(file, 'r+');
    const { size } = await handle.stat();
    await handle.write(Buffer.alloc(size - 2 * pageSize, 0xa5), 0, size - 2 * pageSize, 2 * pageSize);
    await handle.close();
    assert.equal(await inspectDataFile(file), 'cut off');
  });
});
