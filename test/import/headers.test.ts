import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldNames } from '../../src/catalogue/fields.ts';
import { importHeaders } from '../../src/import/columns.ts';
import { foldText } from '../../src/catalogue/fold.ts';

test('headers are folded, and each belongs to one field', () => {
  const all = fieldNames.flatMap((name) => [...importHeaders[name].headers]);
  assert.deepEqual(all.map(foldText), all);
  assert.equal(new Set(all).size, all.length);
});
