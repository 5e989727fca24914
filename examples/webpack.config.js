// Bundles an app with the catalogue: `npx webpack`, then `node build/webpack/app.mjs`.
import { join } from 'node:path';

export default {
  mode: 'production',
  target: 'node20',
  entry: './hono.js',
  experiments: { outputModule: true },
  optimization: { minimize: false }, // Stack traces keep their names.
  output: {
    path: join(import.meta.dirname, 'build/webpack'),
    filename: 'app.mjs',
    module: true,
    chunkFormat: 'module',
  },
  // SQLite is found from the file that runs, by Node: webpack must not put the path of this computer there.
  module: { parser: { javascript: { createRequire: false, importMeta: false } } },
  // SQLite has a compiled part, which stays in node_modules. mongodb is loaded only for mongodb:// addresses.
  externals: { '@photostructure/sqlite': 'module @photostructure/sqlite', mongodb: 'module mongodb' },
};
