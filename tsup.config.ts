import { defineConfig } from 'tsup';

/**
 * Two faces of one build: ES modules for everything that runs, and for CommonJS
 * callers declarations beside a one-line `index.cjs` that requires those same
 * modules (Node >= 20.19 can), so that a process never holds two copies of a class.
 */
export default defineConfig([
  {
    entry: { index: 'src/index.ts', 'bin/shelflist': 'bin/shelflist.ts' },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    splitting: true,
    clean: true,
    dts: { entry: { index: 'src/index.ts' } },
  },
  {
    entry: { index: 'src/index.cts' },
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: ['./index.js'],
    dts: false,
  },
  {
    entry: { index: 'src/index.ts' },
    format: 'cjs',
    platform: 'node',
    dts: { only: true },
  },
]);
