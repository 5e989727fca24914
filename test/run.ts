import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { judgeAnswers } from './support/answers.ts';
import { searchOutput } from './support/output.ts';

/**
 * Runs every `*.test.ts` below this folder, or those whose path holds one of the words given. The files are
 * listed here, because `node --test` on Node 20 finds no TypeScript and calls an empty run a success.
 */
const {
  positionals: words,
  values: { size },
} = parseArgs({ allowPositionals: true, options: { size: { type: 'string', default: 'short' } } });
// How much the tests of faults do (`support/size.ts`); the others are always the same.
if (!['short', 'long', 'soak'].includes(size)) throw new Error('--size is short, long or soak');
process.env.TEST_SIZE = size;
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter(
    (name) => name.endsWith('.test.ts') && (words.length === 0 || words.some((word) => name.includes(word))),
  )
  .sort()
  .map((name) => join(import.meta.dirname, name));
if (files.length === 0) throw new Error('no test file matches');

// A test that hangs fails, and the run ends in any case: a gate that hangs says nothing.
const perFile = (size === 'short' ? 6 : 15) * 60_000;
const whole = 30 * 60_000;
setTimeout(() => {
  process.stderr.write(`the tests were stopped: they had not ended after ${whole / 60_000} minutes\n`);
  process.exit(1);
}, whole).unref();

// Whatever a service answers in any of the tests is written down, and judged at the end; whatever a process prints too.
const answers = mkdtempSync(join(tmpdir(), 'shelflist-answers-'));
process.env.ANSWERS_FOLDER = answers;
process.env.NODE_OPTIONS = `--import=${pathToFileURL(join(import.meta.dirname, 'support/recorder.mjs')).href}`;

let passed = 0;
const events = run({ files, concurrency: 2, timeout: perFile });
events.on('test:pass', () => passed++);
events.on('test:fail', () => {
  process.exitCode = 1;
});
const report = events.pipe(new spec());
report.pipe(process.stdout);
const said = [`${JSON.stringify({ by: 'test', args: process.argv })}\n`];
report.on('data', (chunk) => said.push(String(chunk)));
await finished(report);
const { text, wrong } = await judgeAnswers(answers);
process.stdout.write(text);
writeFileSync(join(answers, 'run.output'), said.join(''));
const output = searchOutput(answers);
process.stdout.write(output.text);
rmSync(answers, { recursive: true });
if (wrong > 0 || output.found > 0) process.exitCode = 1;
if (passed === 0) throw new Error('not one test ran');
