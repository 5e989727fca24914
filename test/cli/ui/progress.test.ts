import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { createProgress } from '../../../src/cli/ui/progress.ts';

async function show(total: number | undefined, columns: number, isTTY = true): Promise<string> {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns });
  const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr, env: {}, directory: '' };
  const progress = createProgress(io, total, 'books');
  progress.stop();
  progress.start();
  progress.stop();
  stderr.end();
  return text(stderr);
}

describe('a progress bar', () => {
  test('is drawn on one line, and removed at the end', async () => {
    assert.equal(await show(10, 80), `\r${'░'.repeat(30)} 0% | 0 books | 0/s | - s left\u001b[K\r\u001b[K`);
  });

  test('shrinks with the terminal, down to the numbers alone', async () => {
    assert.equal(await show(10, 40), `\r${'░'.repeat(9)} 0% | 0 books | 0/s | - s left\u001b[K\r\u001b[K`);
    assert.equal(await show(10, 33), '\r0% | 0 books | 0/s | - s left\u001b[K\r\u001b[K');
    assert.equal(await show(10, 11), '\r0% 0 books\u001b[K\r\u001b[K');
  });

  test('has numbers alone if the total is unknown', async () => {
    assert.equal(await show(undefined, 80), '\r0 books | 0/s\u001b[K\r\u001b[K');
  });

  test('shows nothing without a terminal, or without work', async () => {
    assert.equal(await show(10, 80, false), '');
    assert.equal(await show(0, 80), '');
  });
});
