import { defineConfig, type Options } from 'tsup';

// `node:test` has no name without its prefix.
const target: Options = { platform: 'node', target: 'node20', removeNodeProtocol: false };

/** What the package exports: the library, and the contract of a store as tests for whoever writes another. */
const exported = { index: 'src/index.ts', 'store-suite': 'test/store/suite.ts' };

/**
 * Two faces of one build: ES modules for everything that runs, and for CommonJS callers declarations beside
 * files of one line that require those same modules, so that a process never holds two copies of a class.
 */
export default defineConfig([
  {
    ...target,
    entry: { ...exported, 'bin/shelflist': 'bin/shelflist.ts' },
    format: 'esm',
    splitting: true,
    dts: { entry: exported },
  },
  {
    ...target,
    entry: { index: 'src/commonjs/index.cts', 'store-suite': 'src/commonjs/store-suite.cts' },
    format: 'cjs',
    bundle: false,
  },
  {
    ...target,
    entry: exported,
    format: 'cjs',
    dts: { only: true },
  },
]);
