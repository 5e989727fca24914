import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldingVersion } from '../../../src/catalogue/words/folding-version.ts';

test('the version of folding is 12 hexadecimal digits, the same at each call', () => {
  assert.match(foldingVersion(), /^[0-9a-f]{12}$/);
  assert.equal(foldingVersion(), foldingVersion());
});
