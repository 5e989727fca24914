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
  // SQLite has a compiled part, which stays in node_modules. mongodb is loaded only for mongodb:// addresses.
  external: ['@photostructure/sqlite', 'mongodb'],
});
