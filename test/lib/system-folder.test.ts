import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemFolder } from '../../src/lib/system-folder.ts';

test('the programs of Windows are named with their folder, never by a relative one', () => {
  assert.equal(systemFolder({ SystemRoot: 'D:\\Win' }), 'D:\\Win\\System32');
  for (const SystemRoot of [undefined, '', 'Win'])
    assert.equal(systemFolder({ SystemRoot }), 'C:\\Windows\\System32');
});
