import { resolve } from 'node:path';
import { readArguments, usage, type Arguments } from './arguments.ts';
import { makeBooks, readBooks } from './data.ts';
import { cpuLimits, exceededLimits } from './goals.ts';
import { ownProgram } from './launch.ts';
import { measure } from './measure.ts';
import { buildPocketBase } from './pocketbase.ts';
import { profile } from './profile.ts';
import { describeCircumstances, formatResult, writeResults, type Result } from './results.ts';
import { Stage } from './stage.ts';
import { ours, pocketBase } from './targets.ts';
import { workloads } from './workloads/all.ts';
import { httpWorkloads } from './workloads/http-workloads.ts';
import type { Setting, Workload } from './workloads/workload.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const names = workloads.map(({ name }) => name);
  let options: Arguments;
  try {
    options = readArguments(names);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}${names.join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  if (options.isTablesOnly) {
    await writeResults([]);
    return;
  }
  const books = options.data === undefined ? makeBooks(10_000) : await readBooks(options.data);
  const stage = await Stage.open(books, resolve(options.program ?? ownProgram));
  try {
    await (options.isProfile ? profileAll(stage, options) : measureAll(stage, options));
  } finally {
    await stage.close();
  }
}

function createSettings(stage: Stage, { stores, seconds, isSmoke }: Arguments): Setting[] {
  const warmUpSeconds = isSmoke ? 0.1 : 1;
  return stores.map((store) => ({ stage, store, seconds, warmUpSeconds, isSmoke }));
}

function isWanted({ workloads: wanted, isGate }: Arguments, name: string): boolean {
  if (isGate) return name in cpuLimits;
  return wanted.length === 0 || wanted.includes(name);
}

async function measureAll(stage: Stage, options: Arguments): Promise<void> {
  const { rounds, seconds, stores, write } = options;
  const isPeer =
    !options.isGate &&
    workloads.some(
      (workload) =>
        isWanted(options, workload.name) &&
        stores.some(
          (store) => workload.stores.includes(store) && workload.targets(store).includes(pocketBase.name),
        ),
    );
  const problem = isPeer ? buildPocketBase() : undefined;
  if (problem !== undefined) say(problem);
  const results: Result[] = [];
  for (const setting of createSettings(stage, options)) {
    const { store } = setting;
    for (const workload of workloads) {
      if (!isWanted(options, workload.name) || !workload.stores.includes(store)) continue;
      const lines = await measure(options.isGate ? withoutPeers(workload) : workload, setting, rounds);
      const result = { workload: workload.name, store, lines, rounds, seconds, ...describeCircumstances() };
      say(formatResult(result));
      results.push(result);
      if (write) await writeResults([result]); // At once: a run that is stopped keeps what it has measured.
    }
  }
  const exceeded = options.isGate ? exceededLimits(results) : [];
  for (const line of exceeded) say(line);
  if (exceeded.length > 0) process.exitCode = 1;
}

/** A workload that measures shelflist and bare node:http alone. */
function withoutPeers(workload: Workload): Workload {
  const compared = [ours.name, workload.compared.with];
  return {
    ...workload,
    targets: (store) => workload.targets(store).filter((name) => compared.includes(name)),
  };
}

async function profileAll(stage: Stage, options: Arguments): Promise<void> {
  for (const setting of createSettings(stage, options)) {
    for (const workload of httpWorkloads)
      if (isWanted(options, workload.name) && (workload.stores ?? [setting.store]).includes(setting.store))
        say(await profile(setting, workload));
  }
}

// `exit` handlers end the servers and remove the data.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

await main();
