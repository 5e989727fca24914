import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { readChildrenCpuSeconds } from '../proc.ts';
import type { Sample } from './workload.ts';

/** Runs Node with these arguments until it ends; returns its duration and CPU time. */
export async function timeCommand(
  args: readonly string[],
  { cwd, env }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<Sample> {
  const cpu = readChildrenCpuSeconds();
  const begun = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(child.stderr);
  const [status] = (await once(child, 'close')) as [number | null];
  const ms = performance.now() - begun;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${await said}`);
  return { ms, cpuMs: (readChildrenCpuSeconds() - cpu) * 1000 };
}

/** Repeats an action; returns the mean of CPU times, which a clock of 10 ms measures, and the median of the rest. */
export async function repeat(times: number, action: () => Promise<Sample>): Promise<Sample> {
  const samples: Sample[] = [];
  for (let i = 0; i < times; i++) samples.push(await action());
  const cpu = samples.map(({ cpuMs = 0 }) => cpuMs);
  const sorted = samples.map(({ ms = 0 }) => ms).sort((a, b) => a - b);
  return { ms: sorted[Math.floor(times / 2)] ?? 0, cpuMs: cpu.reduce((sum, each) => sum + each, 0) / times };
}
