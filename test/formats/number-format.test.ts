import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNumber } from '../../src/formats/number-format.ts';

const moment = new Date(Date.UTC(1963, 10, 2, 15, 4, 5));

test('a number shows in its format what Excel shows', () => {
  const table: [value: number, format: string, shown: string | undefined][] = [
    [7, '000', '007'],
    [1234.5, '#,##0.00', '1,234.50'],
    [0.5, '0%', '50%'],
    [2.5, '0.00;[Red]-0.00', '2.50'],
    [5, 'General', undefined],
    [5, '0.00E+00', undefined],
    [-5, '000', undefined],
  ];
  for (const [value, format, shown] of table)
    assert.equal(formatNumber(value, format, undefined), shown, format);
});

test('a moment shows in its format what Excel shows', () => {
  const table: [format: string, shown: string | undefined][] = [
    ['m/d/yy', '11/2/63'],
    ['[$-409]dd\\-mmm\\-yyyy', '02-Nov-1963'],
    ['mmmm d, yyyy', 'November 2, 1963'],
    ['h:mm', '15:04'],
    ['hh:mm:ss AM/PM', '03:04:05 PM'],
    ['mm:ss', '04:05'],
    ['d"."m"."yyyy', '2.11.1963'],
    ['[h]:mm', undefined],
    ['ggge', undefined],
  ];
  for (const [format, shown] of table) assert.equal(formatNumber(1, format, moment), shown, format);
});

test('a format that is longer than any of numbers is none, and takes no time', () => {
  for (const format of [`0.${'0'.repeat(101)}`, `#,##${'0'.repeat(8000)}`, 'm-'.repeat(9000)])
    assert.equal(formatNumber(1, format, new Date(0)), undefined);
});
