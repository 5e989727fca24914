import type { TestRunner } from '../../src/store-suite/store-suite.ts';
import { nodeRunner } from '../../src/store-suite/runner.ts';

/** A runner for the store suite that runs only the first test of each group, to see whether a store works at all. */
export function smokeRunner(): TestRunner {
  const { afterEach, beforeEach, describe, test } = nodeRunner();
  /** Whether the group that is being defined has no test yet. */
  let isFirst = true;
  const group = (name: string, define: () => void) => {
    const wasFirst = isFirst;
    isFirst = true;
    describe(name, define);
    isFirst = wasFirst;
  };
  return {
    afterEach,
    beforeEach,
    describe: Object.assign(group, { skip: describe.skip }),
    test(name, action) {
      if (isFirst) test(name, action);
      isFirst = false;
    },
  };
}
