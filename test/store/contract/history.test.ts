import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  attributionOf,
  checkAttribution,
  checkBatch,
  checkHistoryRequest,
  checkSummaryOptions,
  countKinds,
  historyLimits,
  takeStates,
  type EarlierState,
} from '../../../src/store/contract/history.ts';

const stateOf = (title: string): EarlierState => ({
  version: '1',
  at: new Date(0),
  change: 'updated',
  title,
  author: '',
  year: 0,
});

test('a history has a thousand states at most', () => {
  const states = Array.from({ length: 1001 }, (_, i) => stateOf(String(i)));
  assert.deepEqual(takeStates(states), states.slice(0, 1000));
  assert.deepEqual(takeStates(states.slice(0, 3)), states.slice(0, 3));
});

test('a history ends once its texts have four million characters', () => {
  const half = stateOf('x'.repeat(historyLimits.maxCharacters / 2));
  assert.equal(historyLimits.maxCharacters, 4_194_304);
  assert.equal(takeStates([half, half, half]).length, 2);
  assert.equal(takeStates([half, stateOf('x'), half, half]).length, 3);
});

test('changes are counted for every kind', () => {
  assert.deepEqual(
    countKinds((kind) => kind.length),
    { created: 7, updated: 7, deleted: 7, reverted: 8 },
  );
});

test('a write without options has neither batch nor user', () => {
  const none = { batch: undefined, user: undefined };
  assert.deepEqual(attributionOf(), none);
  assert.deepEqual(attributionOf({ user: 'jane' }), { ...none, user: 'jane' });
  assert.deepEqual(attributionOf({ batch: 'batch-of-jane' }), { ...none, batch: 'batch-of-jane' });
});

describe('a write is refused', () => {
  const batches = ['', 'seven77', 'x'.repeat(65), 'batch of jane', 'batch-of-jänë', 12_345_678];
  for (const batch of batches)
    test(`with the batch ${JSON.stringify(batch)}`, () => {
      const expected = { code: 'invalid_input', message: /the id of a batch is not 8 to 64/ };
      assert.throws(() => { checkBatch(batch); }, expected); // prettier-ignore
      assert.throws(() => { checkAttribution({ batch: batch as string }); }, expected); // prettier-ignore
    });
  for (const user of ['', 'x'.repeat(201), 'a\nb'])
    test(`with the user ${JSON.stringify(user)}`, () => {
      const message = /the name of a user is not 1 to 200 characters/;
      assert.throws(() => { checkAttribution({ user }); }, { code: 'invalid_input', message }); // prettier-ignore
    });

  test('with nothing else', () => {
    checkAttribution();
    checkAttribution({});
    checkAttribution({ batch: 'eight888', user: 'x'.repeat(200) });
    checkAttribution({ batch: 'x'.repeat(64), user: 'x' });
  });
});

test('a summary names 1 to 50 books', () => {
  for (const options of [undefined, {}, { books: 1 }, { books: 50 }]) checkSummaryOptions(options);
  for (const books of [0, 51, 1.5, NaN, -1])
    assert.throws(() => { checkSummaryOptions({ books }); }, { code: 'invalid_query', message: /from 1 to 50/ }); // prettier-ignore
});

test('a list has a limit of 1 or more, and a position of 1 to 40 digits and hyphens', () => {
  for (const after of [undefined, '0', '12-7', '9'.repeat(40)]) checkHistoryRequest({ limit: 1, after });
  const refused = [
    { limit: 0 },
    { limit: 1.5 },
    { limit: -1 },
    ...['', 'a', '1a', 'a1', '1 ', '9'.repeat(41)].map((after) => ({ limit: 1, after })),
  ];
  for (const request of refused)
    assert.throws(() => { checkHistoryRequest(request); }, { code: 'invalid_query', message: /"after" is not a cursor of this list/ }); // prettier-ignore
});
