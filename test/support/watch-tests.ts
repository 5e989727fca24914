import { basename, dirname } from 'node:path';
import process from 'node:process';
import { recordsOf, runningTests } from './output.ts';

const everyMs = 2000;

/**
 * Ends each process whose test exceeds a time limit, even if its event loop is blocked: `test-recorder.mjs` notes in the folder
 * of the process which tests run.
 *
 * @returns `stop` ends the watch, and returns a line for each test that was ended.
 */
export function watchTests(answers: string, limitSeconds: number): { stop: () => string[] } {
  const ended = new Map<string, string>();
  const timer = setInterval(() => {
    for (const notes of recordsOf(answers, 'tests').filter((path) => !ended.has(path))) {
      const late = runningTests(notes).running.find(({ at }) => Date.now() - at > limitSeconds * 1000);
      if (late === undefined) continue;
      const line = `stopped after ${limitSeconds} s: the test ${late.name}, in ${late.file}`;
      ended.set(notes, line);
      process.stderr.write(`${line}\n`);
      process.kill(Number(basename(dirname(notes))), 'SIGKILL');
    }
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return [...ended.values()];
    },
  };
}
