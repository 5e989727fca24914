import { defineConfig } from 'tsup';

/** Plain JavaScript for what is measured: a loader for TypeScript would be measured along with it. */
export default defineConfig({
  entry: ['src/main.ts', 'src/load/main.ts', 'src/load/driver.ts', 'src/peers/*.ts'],
  format: 'esm',
  target: 'node20',
  splitting: true,
  skipNodeModulesBundle: true,
});
