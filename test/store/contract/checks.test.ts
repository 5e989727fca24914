import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { argumentChecks, argumentParsers } from '../../../src/store/contract/checks.ts';
import { bookOf } from '../../support/books.ts';

describe('a store is not called with', () => {
  const table: [method: string, args: unknown[], code: string, message: RegExp][] = [
    ['create', [{}, { batch: 'short' }], 'invalid_input', /id of a batch/],
    ['update', [1, {}, { user: '' }], 'invalid_input', /name of a user/],
    ['delete', [1, { batch: 'short' }], 'invalid_input', /id of a batch/],
    ['revert', [1, { user: '' }], 'invalid_input', /name of a user/],
    ['createMany', [Array(1001).fill({})], 'invalid_input', /^more than 1000 books at once$/],
    ['createMany', [[], { idempotencyKey: { key: '' } }], 'invalid_query', /^an idempotency key is not 1 to 80 visible ASCII/],
    ['createMany', [[], { idempotencyKey: { key: 'x'.repeat(81) } }], 'invalid_query', /idempotency key/],
    ['createMany', [[], { idempotencyKey: { key: 'a b' } }], 'invalid_query', /idempotency key/],
    ['createMany', [[], { batch: 'short' }], 'invalid_input', /id of a batch/],
    ['trash', [{ limit: 0 }], 'invalid_query', /is not a cursor/],
    ['batch', ['batch-a-a', { books: 0 }], 'invalid_query', /books is not a number/],
    ['batches', [{ limit: 0 }], 'invalid_query', /is not a cursor/],
    ['batches', [{ limit: 1, books: 51 }], 'invalid_query', /books is not a number/],
    ['undo', ['batch-a-a', { as: 'short' }], 'invalid_input', /id of a batch/],
    ['undo', ['batch-a-a', { as: 'undo-of-a', user: '' }], 'invalid_input', /name of a user/],
    ['findDuplicatesOf', [Array(1001).fill({})], 'invalid_input', /more than 1000/],
  ]; // prettier-ignore
  const checks = argumentChecks as Record<string, (...args: unknown[]) => void>;
  for (const [method, args, code, message] of table)
    test(`${method}: ${message.source}`, () => {
      assert.throws(() => checks[method]?.(...args), { code, message });
    });

  test('nothing else', () => {
    checks.createMany?.(Array(1000).fill({}), { idempotencyKey: { key: '!~'.repeat(40) } });
    checks.undo?.('batch-a-a', { as: 'undo-of-a', user: 'jane' });
    checks.findDuplicatesOf?.(Array(1000).fill({}));
  });
});

test('books are whole, and a page has a limit, before a store receives them', () => {
  const parsers = argumentParsers as Record<string, (...args: unknown[]) => unknown[]>;
  const options = {};
  const emma = { title: 'Emma' };
  assert.deepEqual(parsers.create?.(emma, options), [bookOf(emma), options]);
  assert.deepEqual(parsers.createMany?.([emma, {}], options), [[bookOf(emma), bookOf({})], options]);
  assert.deepEqual(parsers.update?.(1, { ...emma, more: 1 }, options), [1, emma, options]);
  assert.deepEqual(parsers.find?.({}, { limit: 1 }), [{}, { limit: 1 }]);
  for (const call of [
    () => parsers.create?.(7),
    () => parsers.createMany?.([{ year: 'x' }]),
    () => parsers.update?.(1, []),
  ])
    assert.throws(call, { code: 'invalid_input' });
  assert.throws(() => parsers.find?.({}), { code: 'invalid_query' });
});
