import { mkdirSync, writeFileSync } from 'node:fs';
import { build as bundle } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { compilePage } from './src/server/page/page-files.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

// Without its prefix, `node:test` cannot be imported.
const target: Options = { platform: 'node', target: 'node20', removeNodeProtocol: false, sourcemap: true };

/** The exports of the package: the library, its client for browsers, and the contract of a store as tests for authors of others. */
const exported = {
  index: 'src/index.ts',
  client: 'src/client/index.ts',
  'store-suite': 'src/store-suite/store-suite.ts',
};

/** Replaces the module that compiles the store's thread code in a checkout by the compiled text. */
const embedThreadCode: Plugin = {
  name: 'embed-thread-code',
  setup(build) {
    build.onLoad({ filter: /thread[\\/]thread-code\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await bundle({
        entryPoints: [path.replace(/thread-code\.ts$/, 'thread-main.ts')],
        bundle: true,
        platform: 'node',
        format: 'cjs',
        target: 'node20',
        minify: true,
        write: false,
        logOverride: { 'empty-import-meta': 'silent' },
      });
      return { contents: `export const threadCode = () => ${JSON.stringify(outputFiles[0]?.text)};` };
    });
  },
};

const page = compilePage({ quality: 11 });

/** Replaces the module that bundles the page in a checkout by the bundled files. */
const embedPage: Plugin = {
  name: 'embed-page',
  setup(build) {
    const files = page.map(({ name, brotli }) => ({ name, brotli: brotli.toString('base64') }));
    build.onLoad({ filter: /page[\\/]page-files\.ts$/ }, () => ({
      contents: `export const pageFiles = () => ${JSON.stringify(files)};`,
    }));
  },
};

/** Writes the files of the page to `dist/page/`, for those who serve them from elsewhere. */
function writePage(): Promise<void> {
  mkdirSync('dist/page', { recursive: true });
  for (const { name, contents } of page) writeFileSync(`dist/page/${name}`, contents);
  return Promise.resolve();
}

/**
 * The library is built as ES modules, which `require` of Node gets, too (the condition `module-sync` of `package.json`): a
 * process never holds two copies of a class. Where CommonJS cannot load them, as in Jest, `require` gets a build of its own, with
 * its lazily loaded parts in the same file, and with the packages that exist as ES modules only. So does the program: one file
 * is compiled in advance (`warm-up.mjs`), and it holds the packages that every command needs.
 */
export default defineConfig([
  {
    ...target,
    entry: exported,
    format: 'esm',
    splitting: true,
    dts: true,
    onSuccess: writePage,
    esbuildPlugins: [embedThreadCode, embedPage],
  },
  {
    ...target,
    entry: { ...exported, 'bin/shelflist': 'bin/shelflist.ts', 'bin/program': 'src/cli/main.ts' },
    format: 'cjs',
    splitting: false,
    shims: true, // `import.meta.url`
    noExternal: ['commander', 'env-paths', 'jose', 'read', 'string-width'],
    esbuildOptions(options) {
      options.supported = { 'dynamic-import': false };
    },
    esbuildPlugins: [embedThreadCode, embedPage],
  },
]);
