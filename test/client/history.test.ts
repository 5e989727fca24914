import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { exampleBook as emma } from '../../src/catalogue/book.ts';
import type { Client } from '../../src/index.ts';
import { connect } from '../support/client.ts';
import { startService } from '../support/service.ts';
import { startStranger } from '../support/session.ts';

async function start(t: TestContext): Promise<Client> {
  const { url, token } = await startService(t);
  return connect(t, url, { token });
}

test('history, revert and trash: earlier states of a book, and its return', async (t) => {
  const client = await start(t);
  await client.create(emma);
  await client.update(1, { year: 1816 });
  await client.delete(1);
  const { items: books, next } = await client.trash({ limit: 10 });
  assert.deepEqual(
    [books.map(({ deletedAt: _, ...book }) => book), next],
    [[{ id: 1, ...emma, year: 1816 }], undefined],
  );
  const states = await client.history(1);
  assert.deepEqual(
    states.map(({ change, year, at }) => [change, year, at instanceof Date]),
    [
      ['deleted', 1816, true],
      ['updated', 1815, true],
    ],
  );
  assert.deepEqual(await client.revert(1), { id: 1, ...emma, year: 1816 });
  const version = states[1]?.version ?? '';
  await assert.rejects(client.revert(1, { version, ifMatch: '"x"' }), { code: 'precondition_failed' });
  assert.deepEqual(await client.revert(1, { version }), { id: 1, ...emma });
  await assert.rejects(client.revert(1, { version: 'none' }), { code: 'book_not_found' });
  await assert.rejects(client.history(2), { code: 'book_not_found' });
});

test('undo takes back a batch of thousands of books, shows its progress, and can be taken back', async (t) => {
  const client = await start(t);
  const { batch } = await client.createMany(Array.from({ length: 2500 }, (_, year) => ({ year })));
  await client.update(7, { title: 'changed' });
  const seen: number[] = [];
  const result = await client.undo(batch, { onProgress: ({ undone }) => seen.push(undone) });
  assert.deepEqual(result, { batch: result.batch, undone: 2499, left: [7] });
  assert.deepEqual(seen, [1000, 2000, 2499]);
  assert.deepEqual(await client.list(), [{ id: 7, title: 'changed', author: '', year: 6 }]);
  const { deleted } = await client.batch(result.batch ?? '');
  assert.equal(deleted, 2499);
  await client.undo(result.batch ?? '');
  assert.equal((await client.list()).length, 2500);
});

test('a batch and the list of batches name some of their books', async (t) => {
  const client = await start(t);
  const { batch } = await client.createMany([emma, { title: 'Nana' }]);
  const nana = { id: 2, change: 'created', title: 'Nana', author: '', year: 0 };
  assert.deepEqual(await client.batchBooks(batch, 50), [nana, { id: 1, change: 'created', ...emma }]);
  assert.deepEqual((await client.batches({ books: 1 })).items[0]?.books, [nana]);
  assert.equal((await client.batch(batch)).books, undefined);
  await assert.rejects(client.batchBooks(batch, 51), { code: 'invalid_query' });
});

test('undo changes nothing and names no batch the second time', async (t) => {
  const client = await start(t);
  const { batch } = await client.createMany(Array<object>(1500).fill({}));
  await client.undo(batch);
  assert.deepEqual(await client.undo(batch), { batch: undefined, undone: 0, left: [] });
});

test('an aborted undo rejects with the reason of the signal, and goes on under the same batch', async (t) => {
  const client = await start(t);
  const { batch } = await client.createMany(Array<object>(1500).fill({}));
  const controller = new AbortController();
  const { signal } = controller;
  const progress: [undone: number, batch: string | undefined][] = [];
  const reason = new Error('enough');
  const onProgress = ({ undone, batch }: { undone: number; batch: string | undefined }) => {
    progress.push([undone, batch]);
    controller.abort(reason);
  };
  await assert.rejects(client.undo(batch, { signal, onProgress }), reason);
  const [[undone, own] = []] = progress;
  assert.deepEqual([progress.length, undone, (await client.list()).length], [1, 1000, 500]);
  assert.deepEqual(await client.undo(batch, { batch: own }), { batch: own, undone: 1500, left: [] });
  assert.deepEqual(await client.list(), []);
  assert.equal((await client.batch(own ?? '')).deleted, 1500);
  await assert.rejects(client.undo(batch, { signal }), reason);
});

test('each write may belong to a batch', async (t) => {
  const client = await start(t);
  const options = { batch: 'my-batch' };
  await client.create(emma, options);
  await client.createMany([emma], options);
  await client.update(1, { year: 1 }, options);
  await client.delete(2, options);
  await client.revert(2, options);
  const { at, ...counts } = await client.batch('my-batch');
  assert.ok(at instanceof Date);
  assert.deepEqual(counts, {
    batch: 'my-batch',
    created: 2,
    updated: 1,
    deleted: 1,
    reverted: 1,
    undoable: true,
  });
  await assert.rejects(client.batch('another-batch'), { code: 'batch_not_found', status: 404 });
});

describe('invalid arguments are refused before anything is sent', () => {
  const table: [what: string, call: (client: Client) => Promise<unknown>][] = [
    ['an id', (client) => client.history('7/../8' as unknown as number)],
    ['a version', (client) => client.revert(1, { version: 7 as unknown as string })],
    ['a member', (client) => client.revert(1, { versoin: '7' } as object)],
    ['a member of create', (client) => client.create(emma, { ifMatch: '"x"' } as object)],
    ['a batch', (client) => client.batch('../books')],
    ['a batch to undo', (client) => client.undo('x')],
    ['the batch of a write', (client) => client.update(1, {}, { batch: 'a b\r\nc: d' })],
    ['a query', (client) => client.trash({ limit: '7' as unknown as number })],
  ];
  for (const [what, call] of table)
    test(what, async (t) => {
      await assert.rejects(call(connect(t, 'http://127.0.0.1:1')), TypeError);
    });
});

describe('a response that is not one is bad_response', () => {
  const step = { batch: 'undo-batch', undone: 1, left: [], next: 7 };
  const table: [what: string, call: (client: Client) => Promise<unknown>, data: unknown[]][] = [
    [
      'history',
      (client) => client.history(1),
      [null, {}, [null], [{ ...emma, version: '1', at: 'x', change: 'updated' }], [{ ...emma }]],
    ],
    ['trash', (client) => client.trash(), [null, [{ id: 1, ...emma }], [{ id: 1, ...emma, deletedAt: 7 }]]],
    ['batch', (client) => client.batch('my-batch'), [null, { batch: 'my-batch', at: 'x' }]],
    ['batches', (client) => client.batches(), [null, [{ batch: 'my-batch', at: 'x' }]]],
    // The last one would never end.
    [
      'undo',
      (client) => client.undo('my-batch'),
      [null, { ...step, left: ['1'] }, { ...step, next: 0 }, { ...step, batch: null }, step],
    ],
  ];
  for (const [what, call, all] of table)
    for (const data of all)
      test(`${what}: ${JSON.stringify(data)}`, async (t) => {
        const { url } = await startStranger(t, (_, response) => {
          response.end(JSON.stringify({ status: 200, message: 'x', data }));
        });
        await assert.rejects(call(connect(t, url)), { code: 'bad_response' });
      });
});
