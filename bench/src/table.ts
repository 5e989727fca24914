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
  serverMicros: { label: 'CPU µs per request', digits: 1 },
  serverBusy: { label: 'server cores', digits: 2 },
  generatorBusy: { label: 'generator cores', digits: 2 },
  peakMb: { label: 'peak MB', digits: 0 },
  ms: { label: 'ms', digits: 0 },
  cpuMs: { label: 'CPU ms', digits: 0 },
  idleMb: { label: 'idle MB', digits: 0 },
  peakAboveMb: { label: 'MB above idle', digits: 0 },
  anonAboveMb: { label: 'of it anonymous', digits: 0 },
  firstByteMs: { label: 'first byte ms', digits: 1 },
  totalMs: { label: 'total ms', digits: 0 },
  perSecondMeanwhile: { label: 'other requests/s', digits: 0 },
  p99MsMeanwhile: { label: 'other p99 ms', digits: 1 },
};

/** The name of a figure in the tables; `base` is the line that has the value 1. */
export function labelOf(figure: FigureName, base?: string): string {
  const { label } = columns[figure];
  return base === undefined ? label : `${label} (${base} = 1)`;
}

/** Formats lines as a table in Markdown, with ratios to the base line and of shelflist to each line. */
export function formatTable({ compared }: Workload, lines: readonly Line[]): string {
  const names = Object.keys(lines[0]?.figures ?? {}) as FigureName[];
  // Figures that some lines lack come last.
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
  const heads = [
    '',
    ...names.map((name) => labelOf(name)),
    ...(hasMicros ? [labelOf('serverMicros', compared.with)] : []),
    ...(hasRatios ? [labelOf(compared.figure, compared.with)] : []),
    ...(hasRatios && own !== undefined ? [`${ours.name} (this = 1)`] : []),
  ];
  const rule = heads.map((_, index) => (index === 0 ? '---' : '--:'));
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function ratio(value: number | undefined, base: number | undefined): number | undefined {
  return value === undefined || base === undefined ? undefined : value / base;
}

/** A value in the digits of its figure; empty if there is none. */
export function formatValue(
  name: FigureName,
  value: number | undefined,
  digits = columns[name].digits,
): string {
  return format(value, digits);
}

function format(value: number | undefined, digits: number): string {
  if (value === undefined) return '';
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
