import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { broken, checkIds, checkLogged } from '../../../src/store/contract/assertions.ts';

const rows: [
  what: string,
  check: (...args: Parameters<typeof checkLogged>) => void,
  ...Parameters<typeof checkLogged>,
][] = [
  ['that changes nothing, and logs nothing', checkLogged, 0, { from: 4, to: 4 }],
  ['that changes nothing, after the log was emptied', checkLogged, 0, { from: 4, to: 4, newest: 0 }],
  ['whose changes are all in the log', checkLogged, 2, { from: 4, to: 6, newest: 6 }],
  ['whose books took the next ids', checkIds, 2, { from: 4, to: 6 }],
];

const wrong: typeof rows = [
  ['with a change that is not in the log', checkLogged, 1, { from: 4, to: 4 }],
  ['with an entry in the log without a change', checkLogged, 0, { from: 4, to: 5 }],
  ['with an entry in the log that is gone again', checkLogged, 1, { from: 4, to: 5, newest: 4 }],
  ['after which the counter has moved without a book', checkIds, 0, { from: 4, to: 9 }],
  ['with a book under an id that the counter did not give', checkIds, 1, { from: 4, to: 4 }],
];

describe('a write', () => {
  for (const [what, check, ...args] of rows)
    test(`${what} passes`, () => {
      check(...args);
    });

  for (const [what, check, ...args] of wrong)
    test(`${what} is stopped`, () => {
      const stops = { code: 'store_damaged', message: /; nothing was stored: run `shelflist doctor`$/ };
      assert.throws(() => {
        check(...args);
      }, stops);
    });

  test('that is stopped when some of it may be stored, says so', () => {
    assert.equal(
      broken('the server lies', 'some may be stored').message,
      'the server lies; some may be stored: run `shelflist doctor`',
    );
  });
});
