import type { Line } from './measure.ts';
import type { Store } from './targets.ts';
import type { FigureName } from './workloads/workload.ts';

/** A figure that shelflist should reach, or its ratio to that of another line. */
interface Goal {
  readonly workload: string;
  readonly store: Store;
  readonly figure: FigureName;
  readonly line?: string;
  readonly of?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

const embedded = { store: 'embedded' } as const;
const mongodb = { store: 'mongodb' } as const;
const speed = { figure: 'perSecond' } as const;

const questions = [
  'q=hug misérables',
  'author=…&yearFrom=1800',
  'sort=-year&limit=2',
  'yearTo=1899&count',
  'count of all',
] as const;

const goals: readonly Goal[] = [
  { workload: 'book', ...embedded, ...speed, of: 'node:http', atLeast: 0.85 },
  { workload: 'create', ...embedded, ...speed, of: 'node:http', atLeast: 0.3 },
  { workload: 'update', ...embedded, ...speed, of: 'node:http', atLeast: 0.2 },
  { workload: 'list', ...embedded, ...speed, of: 'node:http', atLeast: 0.9 },
  { workload: 'list', ...embedded, ...speed, of: 'Fastify', atLeast: 90 },
  { workload: 'list-write', ...embedded, ...speed, of: 'Fastify', atLeast: 90 },
  { workload: 'list-unchanged', ...embedded, ...speed, of: 'node:http', atLeast: 0.8 },
  { workload: 'million', ...embedded, figure: 'peakAboveMb', atMost: 250 },
  { workload: 'million', ...embedded, figure: 'firstByteMs', atMost: 50 },
  { workload: 'million', ...embedded, figure: 'p99MsMeanwhile', atMost: 25 },
  {
    workload: 'workers',
    ...embedded,
    figure: 'serverMicros',
    line: 'shelflist, 2 workers',
    of: 'shelflist, 1 worker',
    atMost: 1.1,
  },
  { workload: 'scale-1m', ...embedded, ...speed, line: 'import by the CLI', atLeast: 10_000 },
  { workload: 'scale-1m', ...embedded, figure: 'peakMb', line: 'import by the CLI', atMost: 300 },
  ...['all', 'q=the', 'yearFrom=1990'].map((part): Goal => ({
    workload: 'scale-1m',
    ...embedded,
    figure: 'p50Ms',
    line: `stats of ${part}`,
    atMost: 200,
  })),
  ...['an author: a', 'an author: jane a', 'a title: the'].map((part): Goal => ({
    workload: 'scale-1m',
    ...embedded,
    figure: 'p50Ms',
    line: `suggest ${part}`,
    atMost: 20,
  })),
  { workload: 'scale-5m', ...embedded, figure: 'ms', line: 'start', of: 'start, empty store', atMost: 1.2 },
  ...questions.map((line): Goal => ({
    workload: 'scale-5m',
    ...embedded,
    figure: 'p50Ms',
    line,
    atMost: 100,
  })),
  { workload: 'scale-5m', ...embedded, figure: 'p50Ms', line: 'sort=title, first page', atMost: 5 },
  { workload: 'scale-5m', ...embedded, figure: 'p50Ms', line: 'no match', atMost: 5 },
  { workload: 'scale-5m', ...embedded, figure: 'p50Ms', line: 'two words', atMost: 40 },
  { workload: 'scale-5m', ...embedded, figure: 'p99MsMeanwhile', line: 'q=the&sort=title', atMost: 20 },
  { workload: 'book', ...mongodb, ...speed, of: 'node:http', atLeast: 0.4 },
  { workload: 'create', ...mongodb, ...speed, of: 'node:http', atLeast: 0.1 },
  { workload: 'start', ...embedded, figure: 'ms', of: 'node -e 0', atMost: 3.5 },
  { workload: 'idle', ...embedded, figure: 'idleMb', of: 'node:http', atMost: 1.6 },
];

/**
 * How many times the CPU of bare node:http a request may need at most, by workload on the embedded store. Wide: on a busy
 * machine fewer writes share a transaction, and each costs twice as much.
 */
export const cpuLimits: Readonly<Record<string, number>> = { book: 2, list: 2, create: 12, update: 12 };

/** The workloads that need more CPU than their limit, as sentences. */
export function exceededLimits(
  results: readonly { readonly workload: string; readonly lines: readonly Line[] }[],
): string[] {
  return results.flatMap(({ workload, lines }) => {
    const limit = cpuLimits[workload] ?? Infinity;
    const of = (target: string) => lines.find((line) => line.target === target)?.figures.serverMicros ?? NaN;
    const ratio = of('shelflist') / of('node:http');
    return ratio <= limit
      ? []
      : [`${workload}: ${ratio.toFixed(2)} times the CPU of node:http, at most ${limit}`];
  });
}

/** Formats the goals that were measured as a table in Markdown. */
export function formatGoals(
  linesOf: (workload: string, store: Store) => readonly Line[] | undefined,
  labelOf: (figure: FigureName, base?: string) => string,
): string {
  const rows = goals.flatMap((goal) => {
    const { workload, store, figure, line = 'shelflist', of, atLeast, atMost } = goal;
    const name = goal.line === undefined ? workload : `${workload}: ${line}`;
    const lines = linesOf(workload, store);
    const valueOf = (target: string) => lines?.find((each) => each.target === target)?.figures[figure];
    const value = valueOf(line);
    const base = of === undefined ? 1 : valueOf(of);
    if (value === undefined || base === undefined) return [];
    const measured = value / base;
    const isReached = measured >= (atLeast ?? -Infinity) && measured <= (atMost ?? Infinity);
    const needed = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
    const cells = [name, store, labelOf(figure, of), needed, measured.toFixed(2), isReached ? 'yes' : 'no'];
    return [`| ${cells.join(' | ')} |`];
  });
  return [
    '| workload | store | figure | goal | measured | reached |',
    '|---|---|---|--:|--:|---|',
    ...rows,
  ].join('\n');
}
