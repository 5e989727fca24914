import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShortPassword, maxBodyLimitBytes, maxBulkLimitBytes } from '../../src/catalogue/limits.ts';

test('a password of less than 10 characters is too short, whatever their units', () => {
  for (const password of ['', '012345678', '🙂'.repeat(9)]) assert.ok(isShortPassword(password), password);
  for (const password of ['0123456789', '🙂'.repeat(10)]) assert.ok(!isShortPassword(password), password);
});

test('two texts of the largest body fit into a MongoDB document of 16 MiB', () => {
  assert.ok(maxBodyLimitBytes * 2 < 16 * 2 ** 20);
  assert.deepEqual([maxBodyLimitBytes, maxBulkLimitBytes], [7 * 2 ** 20, 64 * 2 ** 20]);
});
