import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

/**
 * `npm run test:mutate`: changes the code of some folders in thousands of small ways, and shows which of these mutants no test
 * notices. It fails if a folder's tests notice less than 90 % of its mutants.
 *
 *   node scripts/mutate/main.mjs [FOLDER | FILE]... [--concurrency N]
 *
 * A folder or file is below `src`: `auth`, `catalogue/fold`. Default: all folders of the table below. Equivalent mutants, with
 * which the program does the same, are in `accepted.json` with the reason; a wrong entry is an error.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: `${availableParallelism()}` } },
});
const root = process.cwd();
const wantedPercent = 90;

/** The folders, and the quick tests that run for their mutants, in this order, each as the beginning of the paths of test files. */
const folders = {
  auth: ['auth/'],
  api: ['api/', 'server/openapi/document', 'client/arguments', 'client/query'],
  'store/contract': ['store/contract/', 'store/history-clock', 'store/complete', 'store/memory/'],
  catalogue: ['catalogue/', 'derived/find-author-variants', 'derived/near-pairs', 'store/questions/'],
};

const posix = (path) => path.replaceAll('\\', '/');
const listFiles = (folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(posix).sort()
    : [];

const isChosen = (name) => positionals.length === 0 || positionals.some((word) => name.startsWith(word));
const allSources = Object.keys(folders).flatMap((folder) =>
  listFiles(`src/${folder}`)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ folder, file: `src/${folder}/${name}` })),
);
const sources = allSources.filter(({ file }) => isChosen(file.replace('src/', '')));
if (sources.length === 0) throw new Error(`no file of ${Object.keys(folders).join(', ')} matches`);
const chosen = [...new Set(sources.map(({ folder }) => folder))];
const testFiles = listFiles('test').filter((name) => /(?<!\.(slow|long|lint))\.test\.ts$/.test(name));
const tests = chosen
  .flatMap((folder) => folders[folder])
  .flatMap((start) => testFiles.filter((name) => name.startsWith(start)));

if (!existsSync(join(import.meta.dirname, 'node_modules'))) {
  const { npm_execpath: npm } = process.env;
  if (npm === undefined)
    throw new Error('Stryker is missing; run `npm --prefix scripts/mutate ci --ignore-scripts`');
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync(process.execPath, [npm, '--prefix', import.meta.dirname, ...options], { stdio: 'inherit' });
}
const { Stryker } = await import('@stryker-mutator/core');

/** For the scripts that Stryker starts, and for `test/support/compiled-path.ts`. */
process.env.MUTATE_TESTS = JSON.stringify([...new Set(tests)].map((name) => `test/${name}`));
process.env.MUTATE_SOURCES = JSON.stringify(allSources.map(({ file }) => file));
process.env.COMPILED_FOLDER = 'mutated';
const temporary = mkdtempSync(join(tmpdir(), 'shelflist-mutate-'));
const startedAt = Date.now();
let mutants;
try {
  mutants = await new Stryker({
    mutate: sources.map(({ file }) => file),
    ignorePatterns: ['/bench', '/deploy', '/dist', '/docs', '/examples', '/scripts'],
    tempDirName: temporary,
    buildCommand: `node ${join(import.meta.dirname, 'bundle.mjs').replaceAll(' ', '\\ ')}`,
    symlinkNodeModules: false,
    plugins: [join(import.meta.dirname, 'runner.mjs')],
    testRunner: 'node:test',
    coverageAnalysis: 'perTest',
    // The bundles that were loaded stay in memory.
    maxTestRunnerReuse: 200,
    concurrency: Number(values.concurrency),
    timeoutMS: 3000,
    // The bundler ignores types.
    disableTypeChecks: false,
    reporters: ['progress-append-only'],
    logLevel: 'warn',
    warnings: { slow: false },
  }).runMutationTest();
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
}

const texts = new Map(sources.map(({ file }) => [file, readFileSync(join(root, file), 'utf8').split('\n')]));
const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** A mutant as people read it, and as `accepted.json` names it: without the number of its line, which other changes move. */
function describeMutant({ fileName, location: { start, end }, replacement, status }) {
  const file = posix(relative(root, fileName));
  const lines = texts.get(file).slice(start.line - 1, end.line);
  const code = oneLine(lines[0]);
  // The end first: it can be on the same line.
  lines.push(lines.pop().slice(0, end.column - 1));
  lines[0] = lines[0].slice(start.column - 1);
  const mutation = `${oneLine(lines.join(' '))} → ${oneLine(replacement)}`;
  const { folder } = sources.find((source) => source.file === file);
  return { folder, file, place: `${file}:${start.line}:${start.column}`, code, mutation, status };
}

const isDetected = ({ status }) => ['Killed', 'Timeout', 'RuntimeError'].includes(status);
const isAlive = ({ status }) => ['Survived', 'NoCoverage'].includes(status);
const described = mutants.map(describeMutant).filter((mutant) => isDetected(mutant) || isAlive(mutant));
const acceptedPath = join(root, 'scripts/mutate/accepted.json');
const accepted = existsSync(acceptedPath) ? JSON.parse(readFileSync(acceptedPath, 'utf8')) : [];
const names = (entry, mutant) =>
  ['file', 'code', 'mutation'].every((key) => entry[key] === mutant[key]) && isAlive(mutant);
const isAccepted = (mutant) => accepted.some((entry) => names(entry, mutant));

const print = (line) => process.stdout.write(`${line}\n`);
for (const { place, mutation, status } of described.filter(
  (mutant) => isAlive(mutant) && !isAccepted(mutant),
))
  print(`${place} ${status === 'NoCoverage' ? 'no test runs' : 'survived'}: ${mutation}`);

print(
  `\n${'folder'.padEnd(20)}mutants  killed  timeout  survived  not run  accepted  kill rate, without accepted`,
);
for (const folder of chosen) {
  const own = described.filter((mutant) => mutant.folder === folder);
  const count = (...statuses) =>
    own.filter((mutant) => statuses.includes(mutant.status) && !isAccepted(mutant)).length;
  const acceptedCount = own.filter(isAccepted).length;
  const detected = own.filter(isDetected).length;
  const percent = own.length === acceptedCount ? 100 : (100 * detected) / (own.length - acceptedCount);
  const counts = [
    `${own.length}`.padStart(7),
    `${count('Killed', 'RuntimeError')}`.padStart(8),
    `${count('Timeout')}`.padStart(9),
    `${count('Survived')}`.padStart(10),
    `${count('NoCoverage')}`.padStart(9),
    `${acceptedCount}`.padStart(10),
  ].join('');
  const isEnough = percent >= wantedPercent;
  print(
    `${`src/${folder}`.padEnd(20)}${counts}  ${percent.toFixed(1)} %${isEnough ? '' : `, less than ${wantedPercent} %`}`,
  );
  if (!isEnough) process.exitCode = 1;
}
print(`${Math.round((Date.now() - startedAt) / 1000)} s`);

const files = new Set(sources.map(({ file }) => file));
for (const entry of accepted)
  if (files.has(entry.file) && !described.some((mutant) => names(entry, mutant))) {
    print(
      `scripts/mutate/accepted.json: a test now notices this mutant, or it does not exist: ${JSON.stringify(entry)}`,
    );
    process.exitCode = 1;
  }
