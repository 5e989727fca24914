import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as compile, type Plugin } from 'esbuild';
import { pageFiles } from '../../src/server/page/page-files.ts';
import { threadCode } from '../../src/store/sqlite/thread-code.ts';
import { compiledName } from './compiled-path.ts';

const root = join(import.meta.dirname, '../..');
const isSource = (name: string) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts');
const sources = () =>
  ['src', 'test', 'bin'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(isSource)
      .map((name) => join(root, folder, name)),
  );

/** Modules that compile others when they are first used: each process of a run would do the same. */
const embedded: Readonly<Record<string, () => string>> = {
  'src/server/page/page-files.mjs': () => `export const pageFiles = () => ${JSON.stringify(pageFiles())};`,
  'src/store/sqlite/thread-code.mjs': () =>
    `export const threadCode = () => ${JSON.stringify(threadCode())};`,
};

/** What a module knows of its own place: it stays that of the source. */
const places: Readonly<Record<string, (path: string) => string>> = {
  sourceFolder: dirname,
  sourcePath: (path) => path,
  sourceUrl: (path) => pathToFileURL(path).href,
};

/** Keeps the modules apart, and the packages outside; only JSON becomes part of the modules that import it. */
const separateModules: Plugin = {
  name: 'separate modules',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'entry-point' || path.endsWith('.json')
        ? undefined
        : { path: path.replace(/\.tsx?$/, '.mjs'), external: true },
    );
  },
};

/**
 * Compiles all TypeScript of the project once, file by file, into a temporary folder. To compile in each process, as tsx does,
 * costs a second of processor time for a test file; to load modules through a hook of Node 20, half of that.
 *
 * @param isMeasured Whether threads load the compiled modules, too, so that their coverage is that of the sources. It takes
 * them longer to start.
 */
export async function compileAll({ isMeasured = false } = {}): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'shelflist-compiled-'));
  const entryPoints = sources();
  const { outputFiles } = await compile({
    entryPoints,
    outdir,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    write: false,
    plugins: [separateModules],
    define: {
      'import.meta.dirname': 'sourceFolder',
      'import.meta.filename': 'sourcePath',
      'import.meta.url': 'sourceUrl',
    },
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  });
  const pathOf = new Map(entryPoints.map((path) => [compiledName(path), path]));
  for (const { path, text } of outputFiles) {
    const name = relative(outdir, path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, embedded[name]?.() ?? placesIn(text, pathOf.get(name) ?? '') + text);
  }
  if (isMeasured) {
    const thread = pathToFileURL(join(outdir, 'src/store/sqlite/thread-main.mjs')).href;
    const code = `void import(${JSON.stringify(thread)});`;
    writeFileSync(
      join(outdir, 'src/store/sqlite/thread-code.mjs'),
      `export const threadCode = () => ${JSON.stringify(code)};`,
    );
  }
  symlinkSync(join(root, 'node_modules'), join(outdir, 'node_modules'), 'junction');
  return outdir;
}

/** The compiled modules of `src` that tests load as they are; not those of the page, which a browser loads as a bundle. */
export function listModules(outdir: string): string[] {
  return readdirSync(join(outdir, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('src', name))
    .filter((name) => name.endsWith('.mjs') && !Object.hasOwn(embedded, name.replaceAll('\\', '/')))
    .filter((name) => !/^src[\\/](page|store-suite)[\\/]/.test(name))
    .sort();
}

/** The definitions of the places that a module mentions, on its first line: a source map counts lines. */
function placesIn(text: string, path: string): string {
  return Object.entries(places)
    .filter(([name]) => text.includes(name))
    .map(([name, placeOf]) => `const ${name} = ${JSON.stringify(placeOf(path))}; `)
    .join('');
}
