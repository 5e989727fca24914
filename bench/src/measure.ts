import { isBuilt } from './pocketbase.ts';
import { pocketBase } from './targets.ts';
import type { FigureName, Sample, Setting, Workload } from './workloads/workload.ts';

/** A line of a table: the medians over the rounds of a server. */
export interface Line {
  readonly target: string;
  readonly figures: Sample;
}

/** Measures all servers in turn, A B A B, so changes of the machine affect all of them. */
export async function measure(workload: Workload, setting: Setting, rounds: number): Promise<Line[]> {
  const targets = workload.targets(setting.store).filter((target) => target !== pocketBase.name || isBuilt());
  const samples = new Map<string, Sample[]>(targets.map((target) => [target, []]));
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) samples.get(target)?.push(await workload.measure(setting, target));
  }
  return targets.map((target) => ({ target, figures: takeMedians(samples.get(target) ?? []) }));
}

function takeMedians(samples: readonly Sample[]): Sample {
  const names = Object.keys(samples[0] ?? {}) as FigureName[];
  return Object.fromEntries(
    names.map((name) => [name, median(samples.map((sample) => sample[name] ?? NaN))]),
  );
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? NaN) + upper) / 2;
}
