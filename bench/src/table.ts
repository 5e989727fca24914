import type { Line } from './measure.ts';
import { ours } from './targets.ts';
import type { FigureName, Workload } from './workloads/workload.ts';

interface Column {
  readonly label: string;
  readonly digits: number;
}

const columns: Readonly<Record<FigureName, Column>> = {
  perSecond: { label: 'requests/s', digits: 0 },
  p50Ms: { label: 'median ms', digits: 2 },
  p99Ms: { label: 'p99 ms', digits: 1 },
  failedPercent: { label: 'failed %', digits: 1 },
  serverMicros: { label: 'server µs each', digits: 1 },
  serverBusy: { label: 'cores busy', digits: 2 },
  generatorBusy: { label: 'of the generator', digits: 2 },
  peakMb: { label: 'peak MB', digits: 0 },
  ms: { label: 'ms', digits: 0 },
  cpuMs: { label: 'CPU ms', digits: 0 },
  idleMb: { label: 'idle MB', digits: 0 },
  peakAboveMb: { label: 'peak above idle MB', digits: 0 },
  anonAboveMb: { label: 'of it not of a file', digits: 0 },
  firstByteMs: { label: 'first byte ms', digits: 1 },
  totalMs: { label: 'all of it ms', digits: 0 },
  perSecondMeanwhile: { label: 'one book meanwhile/s', digits: 0 },
  p99MsMeanwhile: { label: 'p99 ms meanwhile', digits: 1 },
};

/** How a figure is called in the tables. */
export function labelOf(figure: FigureName): string {
  return columns[figure].label;
}

/** The lines as a table in Markdown, with two ratios: to what the workload is compared with, and of ours to each. */
export function formatTable({ compared }: Workload, lines: readonly Line[]): string {
  const names = Object.keys(lines[0]?.figures ?? {}) as FigureName[];
  // A figure that only some have stands last.
  for (const { figures } of lines)
    for (const name of Object.keys(figures) as FigureName[]) if (!names.includes(name)) names.push(name);
  const valueOf = (target: string) => lines.find((line) => line.target === target)?.figures[compared.figure];
  const base = valueOf(compared.with);
  const own = valueOf(ours.name);
  const hasRatios = lines.length > 1;
  const baseMicros = lines.find((line) => line.target === compared.with)?.figures.serverMicros;
  const hasMicros = baseMicros !== undefined && compared.figure !== 'serverMicros';
  const rows = lines.map(({ target, figures }) => {
    const value = figures[compared.figure];
    return [
      target,
      ...names.map((name) => format(figures[name], columns[name].digits)),
      ...(hasMicros ? [format(ratio(figures.serverMicros, baseMicros), 1)] : []),
      ...(hasRatios ? [format(ratio(value, base), 2)] : []),
      ...(hasRatios && own !== undefined ? [format(ratio(own, value), 2)] : []),
    ];
  });
  const { label } = columns[compared.figure];
  const heads = [
    '',
    ...names.map((name) => columns[name].label),
    ...(hasMicros ? [`${columns.serverMicros.label}: of ${compared.with}`] : []),
    ...(hasRatios ? [`${label}: of ${compared.with}`] : []),
    ...(hasRatios && own !== undefined ? [`${ours.name}: times this`] : []),
  ];
  const rule = heads.map((_, index) => (index === 0 ? '---' : '--:'));
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function ratio(value: number | undefined, base: number | undefined): number | undefined {
  return value === undefined || base === undefined ? undefined : value / base;
}

function format(value: number | undefined, digits: number): string {
  if (value === undefined) return '';
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
