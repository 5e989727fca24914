import process from 'node:process';

/** What the suite uses of a test runner: `node:test`, vitest and jest have it under these names. */
export interface TestRunner {
  readonly describe: ((name: string, define: () => void) => unknown) & {
    readonly skip: (name: string, define: () => void) => unknown;
  };
  readonly test: (name: string, action: () => Promise<void> | void) => unknown;
  readonly beforeEach: (action: () => Promise<void> | void) => unknown;
  readonly afterEach: (action: () => Promise<void> | void) => unknown;
}

/** Loaded when it is used: other runners cannot import it. */
export function nodeRunner(): TestRunner {
  return process.getBuiltinModule('node:test') as TestRunner;
}
