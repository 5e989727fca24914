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
  const lines: string[] = [];
  const gone = new Set<string>();
  const isLate = ({ at }: { at: number }) => Date.now() - at > limitSeconds * 1000;
  const timer = setInterval(() => {
    for (const notes of recordsOf(answers, 'tests').filter((path) => !gone.has(path))) {
      const pid = Number(basename(dirname(notes)));
      const { running, last } = runningTests(notes);
      const late = running.length > 0 ? running.find(isLate) : last;
      const isHung = late !== undefined && isLate(late);
      const isThere = signal(pid, isHung ? 'SIGKILL' : 0);
      if (isHung || !isThere) gone.add(notes);
      if (!isHung || !isThere) continue;
      const what = running.length > 0 ? `the test ${late.name}` : `no test after ${late.name}`;
      const line = `stopped after ${limitSeconds} s: ${what}, in ${late.file}`;
      lines.push(line);
      process.stderr.write(`${line}\n`);
    }
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return lines;
    },
  };
}

/** Sends a signal, or none; returns whether there is such a process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
