import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { judgeAnswers } from './support/answers.ts';
import { compileAll, listModules } from './support/compiled.ts';
import { compiledPath } from './support/compiled-path.ts';
import { startMongod } from './support/mongod.ts';
import { searchOutput } from './support/output.ts';

/**
 * Runs the test files below this folder whose path contains one of the given words (default: all).
 *
 * - A file that is slow by nature is named `*.slow.test.ts`: it kills processes in a loop, bundles or installs the package, waits
 *   for an election or a timeout, or needs much memory. `--slow` selects these files, and no option the others;
 *   words select among both.
 * - `--size` sets how much the fault tests do (`support/size.ts`).
 * - `--coverage` prints which lines and branches of `src` they run (`support/coverage.ts`). It takes half a minute more.
 *
 * The files are listed here because `node --test` on Node 20 finds no TypeScript and calls an empty run a success.
 */
const {
  positionals: words,
  values: { coverage, size, slow },
} = parseArgs({
  allowPositionals: true,
  options: {
    coverage: { type: 'boolean', default: false },
    size: { type: 'string', default: 'short' },
    slow: { type: 'boolean', default: false },
  },
});
if (!['short', 'long', 'soak'].includes(size)) throw new Error('--size is short, long or soak');
process.env.TEST_SIZE = size;
const isSlow = (name: string) => name.endsWith('.slow.test.ts');
const isWanted = (name: string) =>
  words.length === 0 ? isSlow(name) === slow : words.some((word) => name.includes(word));
const names = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && isWanted(name))
  .sort();
if (names.length === 0) throw new Error('no test file matches');

// A run that hangs fails.
const fileMinutes = size === 'short' && !coverage ? 6 : 15;
const runMinutes = 45;
setTimeout(() => {
  process.stderr.write(`the tests were stopped: they had not ended after ${runMinutes} minutes\n`);
  process.exit(1);
}, runMinutes * 60_000).unref();

// One MongoDB server for all files that do not make it fail.
const needsMongod = names.some((name) =>
  readFileSync(join(import.meta.dirname, name), 'utf8').includes('mongod'),
);
const mongod = needsMongod ? await startMongod() : undefined;
if (mongod !== undefined && 'url' in mongod) process.env.SHARED_MONGODB_URL = mongod.url;

// All answers of services and all output of processes are recorded, and checked at the end.
const answers = mkdtempSync(join(tmpdir(), 'shelflist-answers-'));
process.env.ANSWERS_FOLDER = answers;
process.env.NODE_OPTIONS = `--import=${pathToFileURL(join(import.meta.dirname, 'support/recorder.mjs')).href}`;

// The processes of the files inherit these options.
const compiled = await compileAll({ isMeasured: coverage });
process.env.COMPILED_FOLDER = compiled;
process.execArgv = ['--enable-source-maps'];
const measured = mkdtempSync(join(tmpdir(), 'shelflist-coverage-'));
if (coverage) process.env.NODE_V8_COVERAGE = measured;
// Each of them would read these certificates when it starts, for 40 ms. Only slow tests reach other hosts, with npm.
if (!names.some(isSlow)) delete process.env.NODE_EXTRA_CA_CERTS;

/**
 * Quick tests share processes, because the start of one takes longer than most files. What takes longest starts first. Files
 * that select a face for their process (`support/faces.ts`), or measure its memory, have groups of their own.
 */
const groups = [
  /^store\/mongodb\/contract\./,
  /^store\/sqlite\/suite\./,
  /^client\b/,
  /^cli\/commands\/[a-h]/,
  /^cli\/commands\/(?!import\/)/,
  /^(auth|catalogue|config|formats|lib|page)\b/,
  /^store\/mongodb\//,
  /^store\/sqlite\//,
  /^http\/unread\./,
  /^http\/.*-fetch\./,
  /^http\/.*-handler\./,
  /^cli\/commands\/import\//,
  /^http\/[a-e]/,
  /^server\b/,
  /^http\//,
  /^cli\b/,
  /^(import|store)\b/,
  /./,
];
const groupOf = (name: string) => groups.findIndex((group) => group.test(name));
const pathOf = (name: string) => compiledPath(join(import.meta.dirname, name));
const shared = groups.flatMap((_group, index) => {
  const members = names.filter((name) => !isSlow(name) && groupOf(name) === index);
  if (members.length < 2) return members.map(pathOf);
  const imports = members.map(
    (name) => `await import(${JSON.stringify(pathToFileURL(pathOf(name)).href)});\n`,
  );
  const file = join(compiled, `shared-${index}.mjs`);
  // Holds the run open until all files are loaded: otherwise it ends, and stops the tests' services.
  const hold =
    "import { test } from 'node:test';\nlet loaded;\nvoid test('all files of the group load', () => new Promise((resolve) => (loaded = resolve)));\n";
  writeFileSync(file, `${hold}${imports.join('')}loaded();\n`);
  return [file];
});
/** The slow files that take longest. They start first, so that no core is idle in the end. */
const longest = [
  'executable',
  'faults/disk-faults',
  'cli/interrupted',
  'store/sqlite/migrations',
  'cli/memory',
  'faults/undo',
  'page/importing',
  'package',
  'site',
  'start',
  'store/mongodb/acknowledged-writes',
  'server/openapi/generated',
  'http/duplicates',
  'store/mongodb/indexes',
  'http/undo',
  'store/sqlite/find',
  'store/sqlite/queries',
  'store/questions',
  'store/mongodb/close',
  'page/accessibility',
  'page/limits',
  'faults/power-cut',
  'store/undo',
].map((name) => `${name}.slow.test.ts`);
const slowFiles = names.filter(isSlow);
const files = [
  ...shared,
  ...longest.filter((name) => slowFiles.includes(name)).map(pathOf),
  ...slowFiles.filter((name) => !longest.includes(name)).map(pathOf),
];

let passed = 0;
const durations: [name: string, seconds: number][] = [];
// More than there are cores, because tests also wait for disks and timers.
const concurrency = availableParallelism() + (size === 'short' ? 2 : 1);
const events = run({ files, concurrency, timeout: fileMinutes * 60_000 });
events.on('test:pass', () => passed++);
events.on('test:fail', () => {
  process.exitCode = 1;
});
events.on('test:complete', ({ name, file, nesting, details }) => {
  if (nesting === 0 && name === file)
    durations.push([relative(join(compiled, 'test'), file), details.duration_ms / 1000]);
});

// The runner's summary is printed last, below the checks.
const report = events.pipe(new spec());
const printed: string[] = [];
const summary: string[] = [];
report.on('data', (chunk) => {
  const text = String(chunk);
  if (summary.length > 0 || /^\S*ℹ tests /m.test(text)) summary.push(text);
  else process.stdout.write(text);
  printed.push(text);
});
await finished(report);
if (mongod !== undefined && 'url' in mongod) await mongod.stop();

const slowest = durations.sort(([, a], [, b]) => b - a).slice(0, 20);
const lines = slowest.map(([name, seconds]) => `${seconds.toFixed(1).padStart(7)} s  ${name}\n`);
process.stdout.write(`\nslowest files:\n${lines.join('')}\n`);
const { text, wrong } = await judgeAnswers(answers);
process.stdout.write(text);
writeFileSync(
  join(answers, 'run.output'),
  [`${JSON.stringify({ by: 'test', args: process.argv })}\n`, ...printed].join(''),
);
const output = searchOutput(answers);
process.stdout.write(output.text);
if (coverage) {
  const { formatCoverage, readCoverage } = await import('./support/coverage.ts');
  process.stdout.write(formatCoverage(await readCoverage(measured, compiled, listModules(compiled))));
}
for (const folder of [answers, compiled, measured]) rmSync(folder, { recursive: true });
if (wrong > 0 || output.found > 0) process.exitCode = 1;
process.stdout.write(summary.join(''));
if (passed === 0) throw new Error('not one test ran');
