import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeNetwork } from '../../../src/store/contract/driver.ts';

test('a store on a network file system is told with its kind, and what to do', () => {
  assert.match(
    describeNetwork('nfs'),
    /\(nfs\), where SQLite can lose writes; move it to a disk of this machine$/,
  );
});
