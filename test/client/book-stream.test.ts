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

test('readBookStream reads a list byte by byte', async () => {
  const text = JSON.stringify({ status: 200, message: 'x', data: [book, book] });
  assert.deepEqual(await collect(readBookStream(200, bytesOf(text))), [book, book]);
});
