import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

let code: string | undefined;

/**
 * The program of a thread (`thread-main.ts`) as text: a bundler that puts the library into another file need not know of
 * it. The build puts the text in the place of this module (`tsup.config.ts`); a checkout compiles it here.
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
