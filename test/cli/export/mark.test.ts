import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MarkWatch } from '../../../src/cli/export/mark.ts';

const table: [marks: unknown[], isCutOff: boolean][] = [
  [[], false],
  [['', undefined, 7, null, 'x'], false],
  [['begin'], true],
  [['begin', '', 'end'], false],
  [['whole'], false],
  [['', 'end'], false],
];
for (const [marks, isCutOff] of table) {
  test(`marks ${JSON.stringify(marks)}: ${isCutOff ? 'cut off' : 'whole'}`, () => {
    const watch = new MarkWatch();
    for (const mark of marks) watch.see(mark);
    assert.equal(watch.isCutOff, isCutOff);
  });
}

test('where marks are expected, the end has to be there', () => {
  for (const [mark, isCutOff] of [
    ['', true],
    ['begin', true],
    ['end', false],
    ['whole', false],
  ] as const) {
    const watch = new MarkWatch();
    watch.expect();
    assert.equal(watch.isCutOff, true);
    watch.see(mark);
    assert.equal(watch.isCutOff, isCutOff);
  }
});
