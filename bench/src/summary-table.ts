import type { Line } from './measure.ts';
import type { Result } from './results.ts';
import { formatValue, labelOf } from './table.ts';
import { ours } from './targets.ts';
import type { FigureName } from './workloads/workload.ts';

const valueOf = (lines: readonly Line[], target: string, figure: FigureName) =>
  lines.find((line) => line.target === target)?.figures[figure];

function toTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = heads.map((_, index) => (index < 2 ? '---' : '--:'));
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The servers that requests are compared with, in the order of the columns. */
const servers = ['node:http', 'Fastify', 'Express', 'Hono', 'json-server', 'driver', 'PocketBase'];

/** Requests per second, a row for each workload, and how many times those of each other server they are. */
export function formatRequests(results: readonly Result[]): string {
  const rows = results.flatMap(({ workload, store, lines }) => {
    const own = valueOf(lines, ours.name, 'perSecond');
    if (own === undefined) return [];
    const times = servers.map((server) => {
      const value = valueOf(lines, server, 'perSecond');
      return value === undefined ? '' : formatValue('perSecond', own / value, 2);
    });
    const figures = (['perSecond', 'p99Ms', 'serverMicros'] as const).map((name) =>
      formatValue(name, valueOf(lines, ours.name, name)),
    );
    return [[workload, store, ...figures, ...times]];
  });
  const names = (['perSecond', 'p99Ms', 'serverMicros'] as const).map((name) => labelOf(name));
  return toTable(['workload', 'store', ...names, ...servers.map((name) => `× ${name}`)], rows);
}

const isScale = ({ workload }: Result) => workload.startsWith('scale-');

/** The median of each question, a column for each size of catalogue. */
export function formatScale(results: readonly Result[]): string {
  const sizes = results.filter(isScale);
  const asked = new Set(
    sizes.flatMap(({ lines }) =>
      lines.filter(({ figures }) => 'p50Ms' in figures).map(({ target }) => target),
    ),
  );
  const rows = [...asked].map((target) => [
    target,
    ...sizes.map(({ lines }) => formatValue('p50Ms', valueOf(lines, target, 'p50Ms'))),
  ]);
  return toTable(['median ms of', ...sizes.map(({ workload }) => workload.replace('scale-', ''))], rows);
}

/** What is neither a request nor a question: starts, imports, memory. */
export function formatOthers(results: readonly Result[]): string {
  const rows = results
    .filter((result) => !isScale(result) && valueOf(result.lines, ours.name, 'perSecond') === undefined)
    .flatMap(({ workload, store, lines }) =>
      lines.map(({ target, figures }) => {
        const shown = Object.entries(figures) as [FigureName, number][];
        return [
          `${workload}: ${target}`,
          store,
          shown.map(([name, value]) => `${formatValue(name, value)} ${labelOf(name)}`).join('; '),
        ];
      }),
    );
  return toTable(['line', 'store', 'figures'], rows);
}

/** When, where and under which load the workloads were measured. */
export function formatCircumstances(results: readonly Result[]): string {
  const groups = new Map<string, string[]>();
  for (const { workload, store, date, commit, machine, load } of results) {
    const key = `${date}, commit ${commit}, ${machine}`;
    groups.set(key, [...(groups.get(key) ?? []), `${workload} ${store} ${load}`]);
  }
  return [...groups].map(([key, loads]) => `- ${key}. Loads: ${loads.join(', ')}.`).join('\n');
}
