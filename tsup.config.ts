import { mkdirSync, writeFileSync } from 'node:fs';
import { build as bundle, transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { compileViewer } from './src/formats/viewer-code.ts';
import { compilePage } from './src/server/page/page-files.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

// Without its prefix, `node:test` cannot be imported.
const target: Options = { platform: 'node', target: 'node20', removeNodeProtocol: false, metafile: true };

/** The exports of the package: the library, its client for browsers, files of books, and the contract of a store with its tests. */
const exported = {
  index: 'src/index.ts',
  client: 'src/client/index.ts',
  formats: 'src/formats.ts',
  store: 'src/store.ts',
  'store-suite': 'src/store-suite/store-suite.ts',
};

/** The executable, and the program that it loads. */
const program = {
  'bin/shelflist': 'bin/shelflist.ts',
  'bin/program': 'src/cli/program/main.ts',
};

/** The sources of code that is embedded as text, which tsup does not know. */
const inputs = new Set<string>();

/**
 * Turns the files of a build into CommonJS, one by one: esbuild splits a build into files that are loaded when they are needed only as ES
 * modules. tsup can turn them too, but with slower code for `??` and `?.`.
 */
const toCommonJs: NonNullable<Options['plugins']>[number] = {
  name: 'to-commonjs',
  async renderChunk(code, { path }) {
    if (!path.endsWith('.cjs')) return undefined;
    const own = code.includes('import.meta.url')
      ? 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;'
      : '';
    // esbuild keeps only comments like those of licenses, and those above each module say where it comes from.
    const named = code.replaceAll(/^\/\/ (?=(?:src|bin|node_modules)\/)/gm, '//! ');
    const converted = await transform(named, {
      legalComments: 'inline',
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      supported: { 'dynamic-import': false },
      banner: `"use strict";${own}`,
      // The shim of tsup is wrong in folders whose names contain `#`, `?` or `%`.
      define: { 'import.meta.url': 'importMetaUrl' },
    });
    return { code: converted.code.replaceAll(/^\/\/! /gm, '// ') };
  },
};

/** Replaces the module that compiles the store's thread code in a checkout by the compiled text. */
const embedThreadCode: Plugin = {
  name: 'embed-thread-code',
  setup(build) {
    build.onLoad({ filter: /sqlite[\\/]thread-code\.ts$/ }, async ({ path }) => {
      const { outputFiles, metafile } = await bundle({
        entryPoints: [path.replace(/thread-code\.ts$/, 'thread-main.ts')],
        bundle: true,
        platform: 'node',
        format: 'cjs',
        target: 'node20',
        minify: true,
        write: false,
        metafile: true,
        logOverride: { 'empty-import-meta': 'silent' },
      });
      for (const each of Object.keys(metafile.inputs)) inputs.add(each);
      return { contents: `export const threadCode = () => ${JSON.stringify(outputFiles[0]?.text)};` };
    });
  },
};

const page = compilePage({ quality: 11, inputs });

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

/** Replaces the module that compiles the program of a catalogue in one file by its text. */
const embedViewer: Plugin = {
  name: 'embed-viewer',
  setup(build) {
    const code = JSON.stringify(compileViewer(inputs));
    build.onLoad({ filter: /formats[\\/]viewer-code\.ts$/ }, () => ({
      contents: `export const viewerCode = () => ${code};`,
    }));
  },
};

/** Writes what went into the files of CommonJS, under the name that tsup would use if it knew that they are such. */
const writeMetafile: Plugin = {
  name: 'write-metafile',
  setup(build) {
    build.onEnd(({ metafile }) => {
      mkdirSync('dist', { recursive: true });
      writeFileSync('dist/metafile-cjs.json', JSON.stringify(metafile));
    });
  },
};

/** Writes the files of the page to `dist/page/`, for those who serve them from elsewhere, and what `scripts/build.mjs` licenses. */
function writePage(): Promise<void> {
  mkdirSync('dist/page', { recursive: true });
  for (const { name, contents } of page) writeFileSync(`dist/page/${name}`, contents);
  writeFileSync('dist/inputs.json', JSON.stringify([...inputs]));
  return Promise.resolve();
}

/**
 * The library is built as ES modules. Node's `require` loads them, too (the condition `module-sync` of `package.json`): a
 * process never holds two copies of a class. Where CommonJS cannot load them, as in Jest, `require` gets a second build. It
 * contains the packages that exist as ES modules only. The program is part of it, with the packages that every command needs: Node 20
 * loads its files faster than ES modules, and a command loads only those that it needs.
 */
export default defineConfig([
  {
    ...target,
    entry: exported,
    format: 'esm',
    splitting: true,
    // `npm run typecheck` checks the types: here that would be half of the build.
    dts: { compilerOptions: { noCheck: true } },
    onSuccess: writePage,
    esbuildPlugins: [embedThreadCode, embedPage, embedViewer],
  },
  {
    ...target,
    metafile: false,
    entry: { ...exported, ...program },
    format: 'esm',
    splitting: true,
    outExtension: () => ({ js: '.cjs' }),
    noExternal: ['commander', 'env-paths', 'jose', 'string-width'],
    plugins: [toCommonJs],
    esbuildPlugins: [embedThreadCode, embedPage, embedViewer, writeMetafile],
  },
]);
