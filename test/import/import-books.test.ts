import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { exampleBook as emma } from '../../src/catalogue/book.ts';
import { countDone, importBooks } from '../../src/import/import-books.ts';
import type { ImportClient } from '../../src/import/write-chunk.ts';
import { readBooks } from '../../src/import/read-books.ts';

const dryRun = { client: undefined, batch: 'batch', onDuplicate: 'add', dryRun: true } as const;

test('an import can be stopped while rows arrive without a pause', async () => {
  const stop = new AbortController();
  setTimeout(() => {
    stop.abort();
  });
  const report = await importBooks({
    ...dryRun,
    signal: stop.signal,
    // eslint-disable-next-line @typescript-eslint/require-await -- Its rows wait for nothing.
    async *open() {
      for (let line = 1; ; line++) yield { line, unit: 'line', original: '', fields: emma };
    },
  });
  assert.equal(report.failure, undefined);
});

test('an import can be stopped while it reads pieces of a file without rows', async () => {
  const stop = new AbortController();
  setTimeout(() => {
    stop.abort();
  });
  // eslint-disable-next-line @typescript-eslint/require-await -- Its pieces wait for nothing.
  async function* emptyLines() {
    yield Buffer.from('title\n');
    for (;;) yield Buffer.from('\n');
  }
  const report = await importBooks({
    ...dryRun,
    signal: stop.signal,
    open: (signal) => readBooks(emptyLines(), { chosen: {}, signal, onStart: () => undefined }),
  });
  assert.deepEqual([countDone(report), report.failure], [0, undefined]);
});

test('a stop while a chunk is written counts its rows once, and sends no other, though one is planned', async () => {
  const stop = new AbortController();
  const sent: number[] = [];
  let lookups = 0;
  let onSecond = (): void => undefined;
  const second = new Promise<void>((resolve) => (onSecond = resolve));
  const client = {
    lookup(wanted: readonly unknown[]) {
      if (++lookups === 2) onSecond();
      return Promise.resolve(wanted.map(() => undefined));
    },
    async createMany(books: readonly unknown[]) {
      sent.push(books.length);
      await second;
      await setImmediate(); // The second chunk is planned.
      stop.abort();
      return { ids: books.map((_, i) => i + 1), rejected: [] };
    },
  } as unknown as ImportClient;
  const report = await importBooks({
    client,
    batch: 'batch',
    onDuplicate: 'skip',
    dryRun: false,
    signal: stop.signal,
    // eslint-disable-next-line @typescript-eslint/require-await -- Its rows wait for nothing.
    async *open() {
      for (let line = 1; line <= 2500; line++)
        yield { line, unit: 'line', original: '', fields: { ...emma, title: `Emma ${line}` } };
    },
  });
  assert.equal(report.failure, undefined);
  assert.deepEqual(sent, [report.added]);
});
