import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reader } from '../../../src/store/embedded/reader.ts';

/** A snapshot is the number of times that it was renewed. */
function counted() {
  const state = { snapshot: 0 };
  const reader = new Reader(() => {
    state.snapshot++;
  });
  return { state, reader };
}

test('reads of one turn share a snapshot, those of the next have another', async () => {
  const { state, reader } = counted();
  const read = () => reader.read(() => state.snapshot);
  assert.deepEqual(await Promise.all([read(), read(), read()]), [1, 1, 1]);
  assert.deepEqual(await Promise.all([read(), read()]), [2, 2]);
});

test('the snapshot begins after the last of those who share it has asked', async () => {
  const { state, reader } = counted();
  let written = 0;
  const first = reader.read(() => written);
  written = 1; // Acknowledged to somebody who asks next.
  const second = reader.read(() => written);
  assert.deepEqual(await Promise.all([first, second]), [1, 1]);
  assert.equal(state.snapshot, 1);
});

test('one that fails fails alone', async () => {
  const { reader } = counted();
  const results = await Promise.allSettled([
    reader.read(() => 1),
    reader.read(() => {
      throw new Error('damaged');
    }),
    reader.read(() => 3),
  ]);
  assert.deepEqual(
    results.map((result) =>
      result.status === 'fulfilled' ? result.value : (result.reason as Error).message,
    ),
    [1, 'damaged', 3],
  );
});

test('where there is no snapshot, that is the error of all who waited, and of nobody else', async () => {
  let isBroken = true;
  const reader = new Reader(() => {
    if (isBroken) throw new Error('no snapshot');
  });
  const results = await Promise.allSettled([reader.read(() => 1), reader.read(() => 2)]);
  assert.deepEqual(
    results.map((result) => result.status),
    ['rejected', 'rejected'],
  );
  isBroken = false;
  assert.equal(await reader.read(() => 3), 3);
});

test('what waits can be read at once, before the store is closed', async () => {
  const { state, reader } = counted();
  const answers: number[] = [];
  const read = reader.read(() => answers.push(state.snapshot));
  reader.flush();
  assert.deepEqual(answers, [1]);
  await read;
  reader.flush(); // There is nothing left.
  assert.equal(state.snapshot, 1);
});
