import assert from 'node:assert/strict';

/**
 * Asserts that two values hold the same data. Clones are compared, because some runners (jest) give tests an `Object` of
 * their own, which a store's objects from other threads do not have.
 */
export function assertSame(actual: unknown, expected: unknown, message?: string): void {
  assert.deepEqual(structuredClone(actual), structuredClone(expected), message);
}
