import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

/** Builds `dist`, unless it is newer than its sources. Every script that needs a build runs this, and the first one builds. */
process.chdir(join(import.meta.dirname, '..'));
const sources = ['src', 'bin', 'scripts/build.mjs', 'tsup.config.ts', 'tsconfig.json', 'package.json'];
/** Its time is the time when the last build began. */
const lastOutput = 'dist/index.d.cts';

/** The time of the last change below a path. */
function changedAt(path) {
  const status = statSync(path);
  const below = status.isDirectory() ? readdirSync(path).map((name) => changedAt(join(path, name))) : [];
  return Math.max(status.mtimeMs, ...below);
}

/** The folder below `node_modules` of the package that a path is in, if it is in one. A package may be in that of another. */
export function packageOf(path) {
  return /node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

/** The licenses of packages, by their folders; each once. */
export function licensesOf(folders) {
  const texts = [...new Set(folders)]
    .filter(Boolean)
    .sort()
    .map((path) => {
      const folder = join('node_modules', path);
      const name = path.replace(/.*\/node_modules\//, '');
      const file = readdirSync(folder).find((each) => /^licen[sc]e/i.test(each));
      return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Takes the JSON out of a file of `dist`. */
function take(name) {
  const path = join('dist', name);
  const value = JSON.parse(readFileSync(path, 'utf8'));
  rmSync(path);
  return value;
}

/** Writes the licenses of the packages whose code is in `dist`. */
function writeLicenses() {
  const built = ['metafile-esm.json', 'metafile-cjs.json'].flatMap((name) =>
    Object.values(take(name).outputs),
  );
  const bundled = built.flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0),
  );
  writeFileSync('dist/LICENSES.txt', licensesOf([...take('inputs.json'), ...bundled].map(packageOf)));
}

function isInstalled(name) {
  try {
    return createRequire(import.meta.url).resolve(name) !== '';
  } catch {
    return false;
  }
}

async function build() {
  const { build: bundle } = await import('tsup');
  const begun = new Date();
  rmSync('dist', { recursive: true, force: true });
  await bundle({ silent: true });
  // Declarations for CommonJS callers: the same ones, under names that TypeScript takes for CommonJS.
  for (const name of readdirSync('dist').filter((each) => each.endsWith('.d.ts'))) {
    const text = readFileSync(join('dist', name), 'utf8');
    writeFileSync(
      join('dist', name.replace('.d.ts', '.d.cts')),
      text.replace(/((?:from|import) '\.\/[^']+)\.js'/g, "$1.cjs'"),
    );
  }
  writeLicenses();
  utimesSync(lastOutput, begun, begun); // What was saved during the build may not be in it.
}

const isUpToDate = existsSync(lastOutput) && Math.max(...sources.map(changedAt)) <= changedAt(lastOutput);
if (!isUpToDate) {
  if (isInstalled('tsup')) await build();
  // `npm ci --omit=dev` runs `prepare` too, and needs no build. Packing does.
  else if (process.env.npm_lifecycle_event !== 'prepare' || process.env.npm_command === 'pack') {
    process.stderr.write(
      'cannot build: tsup, a development dependency, is missing; run `npm ci` without --omit=dev\n',
    );
    process.exitCode = 1;
  }
}
