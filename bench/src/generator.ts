import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Job, Outcome } from './load/job.ts';

const run = promisify(execFile);

/** Runs the load generator in a separate process. */
export function generateLoad(job: Job): Promise<Outcome> {
  return runScript('load/main.js', job);
}

/** Runs a script that reads and writes JSON. */
export async function runScript<T>(script: string, task: unknown): Promise<T> {
  const running = run(process.execPath, [join(import.meta.dirname, script)], {
    timeout: 110_000,
    killSignal: 'SIGKILL',
  });
  running.child.stdin?.end(JSON.stringify(task)); // It has a token: others can read the arguments of a process.
  const { stdout } = await running;
  return JSON.parse(stdout) as T;
}
