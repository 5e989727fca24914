import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { root } from './support/packed.ts';
import { describePublicApi } from './support/public-api.ts';
import manifest from '../package.json' with { type: 'json' };

/** The whole public API, so that a review sees each change of it. */
const kept = join(root, 'test/public-api.txt');

test('the public API is that of public-api.txt; UPDATE_SNAPSHOTS=1 writes it', () => {
  const entries = Object.entries(manifest.exports).flatMap(([name, target]) =>
    typeof target === 'string' ? [] : [[join(root, target.import.types), name.replace('.', 'shelflist')]],
  );
  for (const [path = ''] of entries) assert.ok(existsSync(path), `${path} is missing: npm run build`);
  const text = describePublicApi(Object.fromEntries(entries) as Record<string, string>);
  if (process.env.UPDATE_SNAPSHOTS === '1') writeFileSync(kept, text);
  assert.equal(text, readFileSync(kept, 'utf8').replaceAll('\r\n', '\n'));
});
