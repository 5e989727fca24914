import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { compileAll } from '../support/compiled.ts';
import { compiledPath } from '../support/compiled-path.ts';
import { readCorpus, readFailures, writeCorpus, writeFailure } from './corpus.ts';
import type { ThreadMessage, ThreadTask } from './fuzz-thread.ts';
import { maxReadMs, processorMs } from './rules.ts';
import { SharedInput } from './shared-input.ts';
import { targets } from './targets.ts';

/**
 * Fuzzes the parsers with these names (default: each of them), one after the other. `--seconds` is the time for each.
 *
 * Coverage guides it: `corpus.ts` keeps the inputs that reach something new, and every input that breaks a rule. Own code: of
 * Jazzer.js, version 4 needs glibc 2.38, and version 2 a download that no registry has.
 */
const {
  positionals,
  values: { seconds, seed },
} = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: `${Date.now()}` } },
});
const names = positionals.length > 0 ? positionals : Object.keys(targets);
const unknown = names.find((name) => !Object.hasOwn(targets, name));
if (unknown !== undefined)
  throw new Error(`no target is called ${unknown}; there are ${Object.keys(targets).join(', ')}`);
if (!(Number(seconds) > 0)) throw new Error('--seconds is a number');

/** Of the old generation, in MiB. Before its first input, a thread uses about 60. */
const maxHeapMib = 260;
/** More memory of this process than before the target: the heap, and 200 MiB outside of it. */
const maxMoreMib = maxHeapMib + 200;
/** An input is read three times. */
const maxCheckMs = 3 * maxReadMs;
/** Of one target. Most are the same fault. */
const maxFailures = 5;

/** Fuzzes one target. A thread that an input ends is followed by another, until the time is over. */
async function fuzz(name: string): Promise<{ inputs: number; failures: number; kept: number }> {
  const until = Date.now() + Number(seconds) * 1000;
  const seeds = targets[name]?.seeds.map((each) => Buffer.from(each as string)) ?? [];
  const failed = readFailures(name).map(({ input }) => input);
  const start = [...seeds, ...readCorpus(name)];
  let corpus: readonly Uint8Array[] = [...start, ...failed];
  let kept: Uint8Array[] = [];
  let inputs = 0;
  let failures = 0;
  const before = process.memoryUsage.rss();
  const report = (why: string, input: Uint8Array) => {
    failures++;
    const hash = createHash('sha256').update(input).digest('hex').slice(0, 8);
    process.stdout.write(`${name}: ${why}\n  ${writeFailure(name, hash, input)}\n`);
  };
  for (let round = 0; Date.now() < until && failures < maxFailures; round++) {
    const current = new SharedInput();
    const task: ThreadTask = { name, seed: Number(seed) + round, corpus, until, shared: current.memory };
    const worker = new Worker(compiledPath(join(import.meta.dirname, 'fuzz-thread.ts')), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMib },
    });
    kept = [];
    const exited = new Promise<true>((resolve) => {
      worker.on('exit', () => {
        resolve(true);
      });
    });
    worker.on('message', (message: ThreadMessage) => {
      if ('kept' in message) kept.push(message.kept);
      else if ('broken' in message) report(message.broken, message.input);
      if (failures >= maxFailures) void worker.terminate();
    });
    worker.on('error', (error) => {
      report(`it ends the thread: ${error.message}`, current.bytes);
    });
    let last = { count: -1, at: 0 };
    while (!(await Promise.race([exited, pause(100, false)]))) {
      const moreMib = (process.memoryUsage.rss() - before) / 2 ** 20;
      if (moreMib > maxMoreMib) {
        report(`it takes ${Math.round(moreMib)} MiB`, current.bytes);
        await worker.terminate();
      }
      if (current.count !== last.count) last = { count: current.count, at: processorMs() };
      else if (processorMs() - last.at > maxCheckMs && current.count > 0) {
        report(`it does not end in ${maxCheckMs} ms`, current.bytes);
        await worker.terminate();
      }
    }
    inputs += current.count;
    corpus = kept;
  }
  writeCorpus(name, kept.filter((input) => !seeds.some((each) => each.equals(input)))); // prettier-ignore
  return { inputs, failures, kept: kept.length };
}

process.env.COMPILED_FOLDER = await compileAll();
for (const name of names) {
  const { inputs, failures, kept } = await fuzz(name);
  process.stdout.write(`${name}: ${inputs} inputs, ${kept} kept, ${failures} failed\n`);
  if (failures > 0) process.exitCode = 1;
}
rmSync(process.env.COMPILED_FOLDER, { recursive: true });
