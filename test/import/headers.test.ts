import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText } from '../../src/catalogue/fold.ts';
import { columnParts } from '../../src/import/column-parts.ts';
import { coauthorHeaders, importHeaders } from '../../src/import/headers.ts';

test('headers are folded, and each belongs to one part', () => {
  const all = [...columnParts.flatMap((part) => importHeaders[part].headers), ...coauthorHeaders];
  assert.deepEqual(all.map(foldText), all);
  assert.equal(new Set(all).size, all.length);
});
