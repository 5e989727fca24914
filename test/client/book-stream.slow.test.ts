import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleBook } from '../../src/catalogue/book.ts';
import { readBookStream } from '../../src/client/book-stream.ts';
import { collect } from '../support/client.ts';

const book = { id: 1, ...exampleBook };

/** A text as it arrives in the worst case: byte by byte. */
async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte);
  await Promise.resolve();
}

// It would take minutes if each byte caused another search for the start.
test('readBookStream reads a list byte by byte, after a message of 400,000 characters', async () => {
  const text = JSON.stringify({ status: 200, message: 'x'.repeat(400_000), data: [book, book] });
  assert.deepEqual(await collect(readBookStream(200, bytesOf(text))), [book, book]);
});
