import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { pageFiles } from '../../src/server/page/page-files.ts';
import { threadCode } from '../../src/store/sqlite/thread/thread-code.ts';

const root = join(import.meta.dirname, '../..');

/** Modules that compile others when they are first used: each process of a run would do the same. */
const embedded: Readonly<Record<string, () => string>> = {
  'src/server/page/page-files.js': () => `export const pageFiles = () => ${JSON.stringify(pageFiles())};`,
  'src/store/sqlite/thread/thread-code.js': () =>
    `export const threadCode = () => ${JSON.stringify(threadCode())};`,
};

/**
 * Compiles all TypeScript of the project once, file by file, into a temporary folder that `compiled-loader.mjs` reads. To
 * compile in each process, as tsx does, costs a second of processor time for a test file.
 */
export async function compileAll(): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'shelflist-compiled-'));
  const entryPoints = ['src', 'test', 'bin'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => join(root, folder, name)),
  );
  await build({
    entryPoints,
    outdir,
    outbase: root,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  });
  for (const [name, text] of Object.entries(embedded)) writeFileSync(join(outdir, name), text());
  return outdir;
}
