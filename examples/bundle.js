// Bundles an app with the catalogue into one file: `node bundle.js`, then `node build/app.mjs`.
import { build } from 'esbuild';

await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['hono.js'],
  outfile: 'build/app.mjs',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Both stay in node_modules: SQLite has a compiled part, and mongodb has optional packages.
  external: ['@photostructure/sqlite', 'mongodb'],
});
