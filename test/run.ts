import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { judgeAnswers } from './support/answers.ts';
import { compileAll, listModules } from './support/compiled.ts';
import { compiledPath } from './support/compiled-path.ts';
import { startBrowser } from './support/chromium.ts';
import { createQueue } from './support/file-queue.ts';
import { endLeftovers } from './support/leftovers.ts';
import { startMongod } from './support/mongod.ts';
import { searchOutput } from './support/output.ts';
import { runFolder } from './support/temp.ts';
import { watchTests } from './support/watch-tests.ts';

/**
 * Runs the test files below this folder whose path contains one of the given words (default: all).
 *
 * - A file that is slow by nature is named `*.slow.test.ts`: it kills processes in a loop, bundles or installs the package,
 *   opens a browser, waits for an election or a timeout, needs much memory, or replaces modules of its process.
 *   `--slow` selects these files.
 * - A slow file that finds little that no other file finds is named `*.long.test.ts`. `--slow --size long` selects it, too.
 * - A file that checks documents and workflows is named `*.lint.test.ts`: `npm run lint` selects them with `--lint`.
 * - Without an option, the others run: the quick ones. Words select among all files.
 * - `--size` sets how much the long tests do (`support/size.ts`).
 * - `--coverage` prints which lines and branches of `src` they run (`support/coverage.ts`). It takes half a minute more.
 * - `--reverse` starts the files in the other order: no test may depend on what another left behind.
 *
 * The files are listed here because `node --test` on Node 20 finds no TypeScript and calls an empty run a success.
 */
const {
  positionals: words,
  values: { coverage, lint, reverse, size, slow },
} = parseArgs({
  allowPositionals: true,
  options: {
    coverage: { type: 'boolean', default: false },
    lint: { type: 'boolean', default: false },
    reverse: { type: 'boolean', default: false },
    size: { type: 'string', default: 'short' },
    slow: { type: 'boolean', default: false },
  },
});
if (!['short', 'long', 'soak'].includes(size)) throw new Error('--size is short, long or soak');
process.env.TEST_SIZE = size;
const isLong = (name: string) => name.endsWith('.long.test.ts');
const isSlow = (name: string) => isLong(name) || name.endsWith('.slow.test.ts');
const isLint = (name: string) => name.endsWith('.lint.test.ts');
const isWanted = (name: string) =>
  words.length === 0
    ? isSlow(name) === slow && isLint(name) === lint && (size !== 'short' || !isLong(name))
    : words.some((word) => name.includes(word));
const names = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && isWanted(name))
  .sort();
if (reverse) names.reverse();
if (names.length === 0) throw new Error('no test file matches');

/** The time limits of a test and of the run. Only the long forms may exceed them. */
const testSeconds = names.some(isSlow) ? (size === 'short' ? 300 : 3600) : coverage ? 180 : 60;
const runMinutes = size === 'short' ? 45 : 180;

// All answers of services and all output of processes are recorded, and checked at the end.
const folder = runFolder({ isInMemory: !names.some(isSlow) });
const answers = mkdtempSync(join(folder, 'answers-'));
const measured = mkdtempSync(join(folder, 'coverage-'));
process.env.ANSWERS_FOLDER = answers;
process.env.NODE_OPTIONS = `--import=${pathToFileURL(join(import.meta.dirname, 'support/recorder.mjs')).href}`;
const clear = () => {
  endLeftovers(answers);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
};
const stop = (why: string) => {
  process.stderr.write(`${why}\n`);
  clear();
  process.exit(1);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    stop(`the tests were stopped by ${signal}`);
  });
setTimeout(() => {
  stop(`the tests were stopped: they had not ended after ${runMinutes} minutes`);
}, runMinutes * 60_000).unref();

// One MongoDB server for all files that do not make it fail, and one browser. They start while the tests are compiled.
const uses = (word: string) =>
  names.some((name) => readFileSync(join(import.meta.dirname, name), 'utf8').includes(word));
const [compiled, mongod, browser] = await Promise.all([
  compileAll({ isMeasured: coverage }),
  uses('mongod') ? startMongod() : undefined,
  uses('/browser.ts') ? startBrowser() : undefined,
]);
if (mongod !== undefined && 'url' in mongod) process.env.SHARED_MONGODB_URL = mongod.url;
if (browser !== undefined) process.env.SHARED_BROWSER_URL = browser.wsEndpoint();

// The processes of the files inherit these options.
process.env.COMPILED_FOLDER = compiled;
process.execArgv = ['--enable-source-maps'];
if (coverage) process.env.NODE_V8_COVERAGE = measured;
// Each of them would read these certificates when it starts, for 40 ms. Only slow tests reach other hosts, with npm.
if (!names.some(isSlow)) delete process.env.NODE_EXTRA_CA_CERTS;

// More than there are cores, because tests also wait for disks and timers. The long forms assert durations.
const concurrency = availableParallelism() + (size === 'short' ? 2 : 1);
const pathOf = (name: string) => compiledPath(join(import.meta.dirname, name));
// Quick files share processes, because the start of one takes longer than most files.
const shared = createQueue(
  names.filter((name) => !isSlow(name)).map((name) => ({ name, path: pathOf(name) })),
  { folder: compiled, processes: concurrency },
);
const files = [...shared, ...names.filter(isSlow).map(pathOf)];

let passed = 0;
const durations: [name: string, seconds: number][] = [];
const events = run({ files, concurrency });
const watch = watchTests(answers, testSeconds);
events.on('test:pass', () => passed++);
events.on('test:fail', () => {
  process.exitCode = 1;
});
events.on('test:complete', ({ name, nesting, details }) => {
  const file = names.find((file) => file === name || pathOf(file) === name);
  if (nesting === 0 && file !== undefined) durations.push([file, details.duration_ms / 1000]);
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
const hung = watch.stop();
if (mongod !== undefined && 'url' in mongod) await mongod.stop();
await browser?.close();

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
clear();
if (wrong > 0 || output.found > 0 || hung.length > 0) process.exitCode = 1;
process.stdout.write([...hung.map((line) => `${line}\n`), ...summary].join(''));
if (passed === 0) throw new Error('not one test ran');
