import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ShelflistError } from '../../src/catalogue/errors.ts';
import {
  asFailure,
  CommandError,
  createFailure,
  isFailure,
  withMessage,
} from '../../src/cli/command-error.ts';

describe('the failure of a command', () => {
  test('is an error of the library or of the command line; any other error has failed', () => {
    for (const known of [
      new ShelflistError('unreachable'),
      new CommandError('usage', { message: 'no id' }),
    ]) {
      assert.equal(isFailure(known), true);
      assert.equal(asFailure(known), known);
    }
    const failure = asFailure(new RangeError('too much'));
    assert.deepEqual([failure.code, failure.message], ['failed', 'too much']);
    assert.deepEqual([asFailure('text').code, asFailure('text').message], ['failed', 'text']);
  });

  test('of the command line is no error of the library', () => {
    assert.equal(new CommandError('failed', { message: 'left out 4 rows' }) instanceof ShelflistError, false);
  });

  test('has the same code with another message, and what the service said beside it', () => {
    const refused = new ShelflistError('too_many_attempts', {
      message: 'wait',
      retryAfter: 7,
      requestId: 'r1',
    });
    const longer = withMessage(refused, 'wait; then repeat it');
    assert.ok(longer instanceof ShelflistError);
    assert.deepEqual(
      [longer.code, longer.message, longer.retryAfter, longer.requestId, longer.cause],
      ['too_many_attempts', 'wait; then repeat it', 7, 'r1', refused],
    );
    const own = withMessage(
      new CommandError('interrupted', { message: 'interrupted' }),
      'interrupted; repeat it',
    );
    assert.ok(own instanceof CommandError);
    assert.deepEqual([own.code, own.message], ['interrupted', 'interrupted; repeat it']);
  });

  test('that another process had, is what it was there', () => {
    const own = createFailure('failed', 'the port is in use');
    assert.ok(own instanceof CommandError);
    assert.deepEqual([own.code, own.message], ['failed', 'the port is in use']);
    const ofStore = createFailure('store_unusable', 'is locked');
    assert.ok(ofStore instanceof ShelflistError);
    assert.deepEqual([ofStore.code, ofStore.message], ['store_unusable', 'is locked']);
  });
});
