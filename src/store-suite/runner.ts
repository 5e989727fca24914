import process from 'node:process';

/** The functions of a test runner that the suite uses. `node:test`, vitest and jest have them under these names. */
export interface TestRunner {
  /** Groups tests; `skip` leaves the group out. */
  readonly describe: ((name: string, define: () => void) => unknown) & {
    readonly skip: (name: string, define: () => void) => unknown;
  };
  /** Defines a test. */
  readonly test: (name: string, action: () => Promise<void> | void) => unknown;
  /** Runs before each test of its group. */
  readonly beforeEach: (action: () => Promise<void> | void) => unknown;
  /** Runs after each test of its group. */
  readonly afterEach: (action: () => Promise<void> | void) => unknown;
}

/** Loads `node:test` on first use, because other runners cannot import it. */
export function nodeRunner(): TestRunner {
  return process.getBuiltinModule('node:test') as TestRunner;
}
