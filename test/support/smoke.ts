import type { TestRunner } from '../../src/store-suite/store-suite.ts';
import { nodeRunner } from '../../src/store-suite/runner.ts';

/** A runner of the store suite that runs only the first test of each of its parts, to see whether a store does it at all. */
export function smokeRunner(): TestRunner {
  const { afterEach, beforeEach, describe, test } = nodeRunner();
  /** Whether the group that is being defined has no test yet. */
  let isFirst = true;
  let depth = 0;
  const group = (name: string, define: () => void) => {
    depth++;
    if (depth <= 2) isFirst = true;
    describe(name, define);
    depth--;
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
