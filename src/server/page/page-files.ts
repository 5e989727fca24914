import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import type { BuildOptions } from 'esbuild';
import { compileViewer } from '../../formats/viewer-code.ts';
import { languages } from '../../texts/texts.ts';

interface PageFile {
  /** `app-HASH.js` and `app-HASH.css`, or a script that loads when it is needed, such as `texts-de-HASH.js`. The hash is that of the contents. */
  readonly name: string;
  /** The contents, compressed with Brotli, in base64. */
  readonly brotli: string;
}

/**
 * The scripts and the style of the page, bundled from `src/page/`. The build replaces this module by its result
 * (`tsup.config.ts`), so that bundlers of the library need no special configuration; in a checkout, they are compiled here.
 */
export function pageFiles(): readonly PageFile[] {
  return compilePage({ quality: 4 }).map(({ name, brotli }) => ({ name, brotli: brotli.toString('base64') }));
}

/**
 * Bundles the page.
 *
 * @param quality That of Brotli, 0 to 11.
 * @param inputs Gets the paths of the bundled sources.
 */
export function compilePage({ quality, inputs }: { quality: number; inputs?: Set<string> }) {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const folder = fileURLToPath(new URL('../../page/', import.meta.url));
  const bundle = (options: BuildOptions) => {
    const { outputFiles, metafile } = buildSync({
      bundle: true,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      minify: true,
      outdir: folder, // Nothing is written.
      absWorkingDir: folder, // The hashes do not depend on where the build runs.
      logLevel: 'silent',
      ...options,
      metafile: true,
      write: false,
    });
    for (const path of Object.keys(metafile.inputs)) inputs?.add(path);
    return outputFiles;
  };
  // Reading and writing files are scripts of their own, and so are each format that is large, the rules of words, and what looks books up.
  const entryPoints = {
    import: 'state/import-file.ts',
    export: 'state/export-file.ts',
    highlight: '../catalogue/highlights.ts',
    isbn: 'lookup/isbn.tsx',
    duplicates: '../catalogue/duplicates.ts',
  };
  const names = { entryNames: '[name]-[hash]', chunkNames: 'format-[hash]' };
  const scripts = bundle({ entryPoints, splitting: true, ...names });
  const nameOf = (entry: keyof typeof entryPoints) =>
    JSON.stringify(scripts.map(({ path }) => basename(path)).find((name) => name.startsWith(`${entry}-`)));
  // So are the texts of each language but English, without those of the server.
  const texts = languages
    .filter((language) => language !== 'en')
    .flatMap((language) => {
      const contents = `export { ${language} as texts } from '../texts/${language}.ts';`;
      const stdin = { contents, resolveDir: folder };
      const files = bundle({ stdin, entryNames: `texts-${language}-[hash]` });
      return files.map((file) => ({ language, name: basename(file.path), contents: file.contents }));
    });
  // The program of a catalogue in one file is text to the page: it puts it into the file.
  const viewer = Buffer.from(compileViewer(inputs));
  const viewerScript = `viewer-${hashOf(viewer)}.js`;
  const textScripts = Object.fromEntries(texts.map(({ language, name }) => [language, name]));
  // The views but the list are a script of their own. It imports the page's script, which is the chunk that both have in common.
  const page = bundle({
    entryPoints: { app: 'main.tsx', views: 'views/views.ts' },
    splitting: true,
    entryNames: '[name]-entry',
    ignoreAnnotations: true, // package.json says for the library that no import has side effects.
    chunkNames: 'app',
    define: {
      importScript: nameOf('import'),
      exportScript: nameOf('export'),
      highlightScript: nameOf('highlight'),
      isbnScript: nameOf('isbn'),
      duplicatesScript: nameOf('duplicates'),
      viewerScript: JSON.stringify(viewerScript),
      viewsScript: '"./views.js"',
      textScripts: JSON.stringify(textScripts),
    },
  });
  const find = (name: string) =>
    page.find(({ path }) => basename(path) === name)?.contents ?? new Uint8Array();
  const [app, views, style] = [find('app.js'), find('views-entry.js'), find('app-entry.css')];
  const hash = hashOf(app, views); // Each has the name of the other.
  const link = (script: Uint8Array) =>
    Buffer.from(
      Buffer.from(script)
        .toString()
        .replace(/"\.\/(app|views)\.js"/g, `"./$1-${hash}.js"`),
    );
  const files = [
    { name: `app-${hash}.js`, contents: link(app) },
    { name: `app-${hashOf(style)}.css`, contents: style },
    { name: `views-${hash}.js`, contents: link(views) },
    ...scripts.map(({ path, contents }) => ({ name: basename(path), contents })),
    ...texts,
    { name: viewerScript, contents: viewer },
  ];
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return files.map((file) => ({ ...file, brotli: brotliCompressSync(file.contents, { params }) }));
}

function hashOf(...files: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const contents of files) hash.update(contents);
  return hash.digest('hex').slice(0, 16);
}
