import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBookStream } from '../../src/client/book-stream.ts';
import { collect } from '../support/client.ts';

const book = { id: 1, title: 'Emma', author: 'Jane Austen', year: 1815 };

/** A text as it arrives in the worst case: byte by byte. */
async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte);
  await Promise.resolve();
}

// The second would take minutes, were the start looked for anew with each byte.
for (const [what, length] of [
  ['a short one', 10],
  ['400,000 characters', 400_000],
] as const) {
  test(`a list is read byte by byte, behind a message of ${what}`, async () => {
    const text = JSON.stringify({ status: 200, message: 'x'.repeat(length), data: [book, book] });
    assert.deepEqual(await collect(readBookStream(200, bytesOf(text))), [book, book]);
  });
}
