import { build as bundle } from 'esbuild';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

// `node:test` has no name without its prefix.
const target: Options = { platform: 'node', target: 'node20', removeNodeProtocol: false };

/** What the package exports: the library, and the contract of a store as tests for whoever writes another. */
const exported = { index: 'src/index.ts', 'store-suite': 'test/store/suite.ts' };

/** Packages of which the program requires the CommonJS build, and what it uses of them. */
const required: Readonly<Record<string, readonly string[]>> = {
  commander: ['Argument', 'Command', 'InvalidArgumentError', 'Option'],
  dotenv: ['parse'],
};

/**
 * Makes `import` of such a package a `require`: Node need not read a file for the names that it exports.
 */
const requirePackages: Plugin = {
  name: 'require-packages',
  setup(build) {
    const namespace = 'required';
    const filter = new RegExp(`^(${Object.keys(required).join('|')})$`);
    build.onResolve({ filter }, ({ path }) => ({ path, namespace, sideEffects: false }));
    build.onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents: `
        import { createRequire } from 'node:module';
        export const { ${required[path]?.join()} } = createRequire(import.meta.url)('${path}');`,
    }));
  },
};

/** Puts the program of the store's threads, as text, in the place of the module that compiles it in a checkout. */
const embedThreadCode: Plugin = {
  name: 'embed-thread-code',
  setup(build) {
    build.onLoad({ filter: /store[\\/]sqlite[\\/]thread-code\.ts$/ }, async ({ path }) => {
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

/**
 * Two faces of one library: ES modules, and for CommonJS callers declarations beside files of one line that require
 * those same modules, so that a process never holds two copies of a class. The program is built apart: what it shares
 * with the library would be in as many more files.
 */
export default defineConfig([
  {
    ...target,
    entry: exported,
    format: 'esm',
    splitting: true,
    dts: true,
    esbuildPlugins: [embedThreadCode],
  },
  {
    ...target,
    entry: { 'bin/shelflist': 'bin/shelflist.ts' },
    format: 'esm',
    splitting: true,
    inject: ['bin/shared.ts'],
    noExternal: Object.keys(required),
    esbuildPlugins: [requirePackages, embedThreadCode],
    esbuildOptions: (options) => {
      options.ignoreAnnotations = true; // By `sideEffects: false` it would drop what `inject` names.
    },
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
