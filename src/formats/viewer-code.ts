// The program of a catalogue in one file as text; the build embeds it.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

let code: string | undefined;

/**
 * The program that finds and shows the books of a file (`src/page/viewer/viewer.ts`) as text. The build replaces this module by the text
 * (`tsup.config.ts`); in a checkout, it is compiled here.
 */
export function viewerCode(): string {
  code ??= compileViewer();
  return code;
}

/** Bundles the program into one script for a page. @param inputs Gets the paths of the bundled sources. */
export function compileViewer(inputs?: Set<string>): string {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const { outputFiles, metafile } = buildSync({
    entryPoints: [fileURLToPath(new URL('../page/viewer/viewer.ts', import.meta.url))],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    loader: { '.css': 'text' },
    charset: 'utf8',
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  for (const path of Object.keys(metafile.inputs)) inputs?.add(path);
  return (outputFiles[0]?.text ?? '').trim();
}
