import { readFileSync, writeFileSync } from 'node:fs';

/** Ticks of the kernel's clock per second: the same on every Linux that Node supports. */
const ticksPerSecond = 100;

/** Reads the CPU time of processes so far, user and system, in all their threads. */
export function readCpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    // The name, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / ticksPerSecond;
}

/** Memory in RAM: current, peak, and anonymous. */
export type MemoryField = 'VmRSS' | 'VmHWM' | 'RssAnon';

export function readMemoryMb(pids: readonly number[], field: MemoryField): number {
  let kilobytes = 0;
  for (const pid of pids) {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    kilobytes += Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  }
  return kilobytes / 1024;
}

/** Resets the peak to the current use. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Returns a process and its children. */
export function readFamily(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').flatMap((child) => readFamily(Number(child))))];
}

/** Reads the CPU time of ended children of this process. */
export function readChildrenCpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}
