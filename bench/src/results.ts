import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import type { Line } from './measure.ts';
import { formatGoals } from './goals.ts';
import { formatTable, labelOf } from './table.ts';
import type { Store } from './targets.ts';
import { workloads } from './workloads/all.ts';

const root = join(import.meta.dirname, '..');
const resultsFile = join(root, 'results.json');
const readme = join(root, 'README.md');

/** What came of a workload, and what one must know to judge it. */
export interface Result {
  readonly workload: string;
  readonly store: Store;
  readonly lines: readonly Line[];
  readonly machine: string;
  readonly commit: string;
  readonly date: string;
  readonly rounds: number;
  readonly seconds: number;
  /** How many processes wanted to run, on average, during the minute before the end. */
  readonly load: number;
}

/** Describes where and when something is measured. */
export function describeCircumstances(): Omit<Result, 'workload' | 'store' | 'lines' | 'rounds' | 'seconds'> {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return {
    machine: `${cpus().length} cores ${cpu?.model.trim() ?? ''}, ${memory}, Linux ${release()}, Node ${process.version}`,
    commit: describeCommit(),
    date: new Date().toISOString().slice(0, 10),
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

/** The commit, with a mark if what is measured is something else; the results themselves are no such thing. */
function describeCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const hasChanges = git('status', '--porcelain', '--', '..', ':!results.json', ':!README.md') !== '';
  return git('rev-parse', '--short', 'HEAD') + (hasChanges ? ' with changes' : '');
}

/** Keeps results beside those of other workloads, and writes all the tables between the two marks in README.md. */
export async function writeResults(results: readonly Result[]): Promise<void> {
  const known = JSON.parse(await readFile(resultsFile, 'utf8').catch(() => '[]')) as Result[];
  const all = new Map([...known, ...results].map((result) => [`${result.workload} ${result.store}`, result]));
  const kept = workloads.flatMap(({ name, stores }) =>
    stores.flatMap((store) => all.get(`${name} ${store}`) ?? []),
  );
  await writeFile(resultsFile, await format(JSON.stringify(kept), { parser: 'json' }));
  const text = await readFile(readme, 'utf8');
  const goals = formatGoals((workload, store) => all.get(`${workload} ${store}`)?.lines, labelOf);
  const tables = [goals, ...kept.map(formatResult)].join('\n\n');
  const written = text.replace(
    /(?<=<!-- results -->\n).*(?=<!-- end of results -->)/s,
    () => `\n${tables}\n`,
  );
  await writeFile(readme, await format(written, { parser: 'markdown' }));
}

/** A result as Markdown: what, where and when, and the table. */
export function formatResult({ workload: name, store, lines, ...where }: Result): string {
  const workload = workloads.find((each) => each.name === name);
  if (workload === undefined) return '';
  const { commit, date, rounds, seconds, load, machine } = where;
  const circumstances = `${date}, commit ${commit}, ${rounds} × ${seconds} s, load ${load}; ${machine}`;
  return `### ${workload.title} (\`${name}\`, ${store})\n\n${formatTable(workload, lines)}\n\n${circumstances}\n`;
}
