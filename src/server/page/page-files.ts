import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

/** A file that the page loads. */
export interface PageFile {
  /** `app-HASH.js` or `app-HASH.css`. It changes with the contents. */
  readonly name: string;
  /** The contents, compressed with Brotli, in base64. */
  readonly brotli: string;
}

/**
 * The script and the style of the page, bundled from `src/page/`. The build replaces this module by its result
 * (`tsup.config.ts`), so that bundlers of the library need no special configuration; in a checkout, they are compiled here.
 */
export function pageFiles(): readonly PageFile[] {
  return compilePage({ quality: 4 }).map(({ name, brotli }) => ({ name, brotli: brotli.toString('base64') }));
}

/**
 * Bundles the page.
 *
 * @param quality That of Brotli, 0 to 11.
 */
export function compilePage({ quality }: { quality: number }) {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const folder = fileURLToPath(new URL('../../page/', import.meta.url));
  const { outputFiles } = buildSync({
    entryPoints: [`${folder}main.tsx`],
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    outdir: folder, // Nothing is written.
    write: false,
    logLevel: 'silent',
  });
  return outputFiles.map(({ path, contents }) => {
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 16);
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
    return {
      name: `app-${hash}${extname(path)}`,
      contents,
      brotli: brotliCompressSync(contents, { params }),
    };
  });
}
