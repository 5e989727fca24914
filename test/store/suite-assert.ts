import assert from 'node:assert/strict';

/**
 * Asserts that two values contain the same data. It compares clones, because some runners (jest) give tests another `Object`
 * than that of objects from other threads.
 */
export function assertSame(actual: unknown, expected: unknown, message?: string): void {
  assert.deepEqual(structuredClone(actual), structuredClone(expected), message);
}
