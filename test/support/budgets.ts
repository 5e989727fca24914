import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a figure may be at most. All are independent of the machine: bytes, modules, statements, round trips. Those of heaps depend on the
 * line of Node that the gate uses.
 */
interface Budget {
  /** As measured when it was last set. */
  readonly value: number;
  /** What it may grow by without a word. A larger growth is a decision: set the value in the same commit. */
  readonly tolerancePercent: number;
  /** What it must never exceed: a promise of the documents. */
  readonly limit?: number;
}

const file = join(import.meta.dirname, '../budgets.json');
const budgets = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Budget>;

/** Compares a figure with its budget in `test/budgets.json`; with `UPDATE_SNAPSHOTS=1`, writes it there. */
export function checkBudget(name: string, measured: number): void {
  const budget = budgets[name] ?? assert.fail(`test/budgets.json has no "${name}"`);
  const { value, tolerancePercent, limit = Infinity } = budget;
  assert.ok(measured > 0 && measured < limit, `${name}: ${measured}, but its limit is ${limit}`);
  if (process.env.UPDATE_SNAPSHOTS === '1') {
    const now = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Budget>;
    writeFileSync(
      file,
      `${JSON.stringify({ ...now, [name]: { ...budget, value: measured } }, undefined, 2)}\n`,
    );
    return;
  }
  const most = value * (1 + tolerancePercent / 100);
  assert.ok(
    measured <= most,
    `${name}: ${measured}, but at most ${most}; if it is worth that, set its value in test/budgets.json`,
  );
}
