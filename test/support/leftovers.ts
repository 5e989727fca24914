import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Ends the processes that a test run started, directly or not, and left behind: those with its folder of records in their
 * environment. Linux only: other systems do not show the environment of a process.
 */
export function endLeftovers(answers: string): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid))
    if (environmentOf(pid).some((line) => line.startsWith(`ANSWERS_FOLDER=${answers}`))) end(Number(pid));
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return []; // It has ended, or belongs to another user.
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
