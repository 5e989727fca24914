import { readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles the test files that `MUTATE_TESTS` names, each with its own copy of `src`, for `runner.mjs`: it loads them anew for
 * each mutant. Some tests load a second copy of a module, so it also bundles the files that `MUTATE_SOURCES` names. Stryker runs
 * this in its copy of the project, which contains all mutants.
 */
const root = process.cwd();
const outdir = join(root, 'mutated');
const names = ['MUTATE_TESTS', 'MUTATE_SOURCES'].flatMap((name) => JSON.parse(process.env[name]));

/** Keeps what a module knows of its own place: that of the source. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
};

/** Takes `node:test` from the run that loads the bundle. */
const nodeTest = {
  name: 'node:test',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:test$/ }, () => ({ path: 'node:test', namespace: 'node-test' }));
    onLoad({ filter: /./, namespace: 'node-test' }, () => ({
      contents: `
        export const { after, afterEach, before, beforeEach, describe, it, mock, suite, test } =
          process.getBuiltinModule('node:test');
        export default test;
      `,
    }));
  },
};

// Packages stay outside the bundles. Stryker would link them only after this script.
symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'), 'junction');

const common = {
  outdir,
  outbase: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
};

/**
 * Modules that compile others on first use, and the function that does so. Its result is bundled, because each load would repeat
 * the work.
 */
const compilers = { 'page-files.ts': 'pageFiles', 'thread-code.ts': 'threadCode' };
const compiled = {
  name: 'compiled',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](page-files|thread-code)\.ts$/ }, async ({ path }) => {
      const name = compilers[basename(path)];
      const { metafile } = await build({ ...common, entryPoints: [path], plugins: [places], metafile: true });
      const [output] = Object.keys(metafile.outputs);
      const module = await import(pathToFileURL(join(root, output)).href);
      return {
        contents: `const value = ${JSON.stringify(module[name]())};\nexport const ${name} = () => value;`,
      };
    });
  },
};

await build({
  ...common,
  entryPoints: names.map((name) => join(root, name)),
  plugins: [nodeTest, compiled, places],
});
