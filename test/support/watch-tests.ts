import { basename, dirname } from 'node:path';
import process from 'node:process';
import { recordsOf, runningTests } from './output.ts';

const everyMs = 2000;

/**
 * Ends each process whose test exceeds a time limit, even if its event loop is blocked, and each that goes on for as long after
 * a test without another one. `test-recorder.mjs` notes in the folder of the process which tests run.
 *
 * @returns `stop` ends the watch, and returns a line for each process that was ended.
 */
export function watchTests(answers: string, limitSeconds: number): { stop: () => string[] } {
  const ended = new Map<string, string>();
  const isLate = ({ at }: { at: number }) => Date.now() - at > limitSeconds * 1000;
  const timer = setInterval(() => {
    for (const notes of recordsOf(answers, 'tests').filter((path) => !ended.has(path))) {
      const { running, last } = runningTests(notes);
      const late = running.length > 0 ? running.find(isLate) : last;
      if (late === undefined || !isLate(late) || !end(Number(basename(dirname(notes))))) continue;
      const what = running.length > 0 ? `the test ${late.name}` : `no test after ${late.name}`;
      const line = `stopped after ${limitSeconds} s: ${what}, in ${late.file}`;
      ended.set(notes, line);
      process.stderr.write(`${line}\n`);
    }
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return [...ended.values()];
    },
  };
}

/** Whether there was such a process. */
function end(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
