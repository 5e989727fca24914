// The program of the threads as text; the build embeds it.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

let code: string | undefined;

/**
 * The program of a thread (`thread-main.ts`) as text, so that bundlers of the library need no special
 * configuration. The build replaces this module by the text (`tsup.config.ts`); in a checkout, it is compiled here.
 */
export function threadCode(): string {
  code ??= compile();
  return code;
}

function compile(): string {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('./thread-main.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
