import type { Line } from './measure.ts';
import type { Store } from './targets.ts';
import type { FigureName } from './workloads/workload.ts';

/** What ours should reach: a figure, or its ratio to that of another line. */
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

const goals: readonly Goal[] = [
  { workload: 'book', ...embedded, ...speed, of: 'node:http', atLeast: 0.85 },
  { workload: 'book', ...embedded, ...speed, of: 'Fastify', atLeast: 4 },
  { workload: 'book', ...embedded, ...speed, of: 'Express', atLeast: 8 },
  { workload: 'create', ...embedded, ...speed, of: 'node:http', atLeast: 0.7 },
  { workload: 'list', ...embedded, ...speed, of: 'node:http', atLeast: 0.5 },
  { workload: 'list', ...embedded, ...speed, of: 'Fastify', atLeast: 20 },
  { workload: 'list-write', ...embedded, ...speed, of: 'Fastify', atLeast: 5 },
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
  { workload: 'book', ...mongodb, ...speed, of: 'node:http', atLeast: 0.55 },
  { workload: 'book', ...mongodb, ...speed, of: 'driver', atLeast: 7 },
  { workload: 'create', ...mongodb, ...speed, of: 'node:http', atLeast: 0.25 },
  { workload: 'create', ...mongodb, ...speed, of: 'driver', atLeast: 6 },
  { workload: 'book-alone', ...mongodb, figure: 'p50Ms', of: 'driver, no server', atMost: 1.2 },
  { workload: 'create-alone', ...mongodb, figure: 'p50Ms', of: 'driver, no server', atMost: 1.2 },
  { workload: 'list', ...mongodb, ...speed, of: 'driver', atLeast: 10 },
  { workload: 'start', ...embedded, figure: 'ms', of: 'node -e 0', atMost: 2.5 },
  { workload: 'idle', ...embedded, figure: 'idleMb', of: 'node:http', atMost: 1.6 },
];

/** What the goals are and what was measured of them, as a table in Markdown; goals that were not measured are left out. */
export function formatGoals(
  linesOf: (workload: string, store: Store) => readonly Line[] | undefined,
  labelOf: (figure: FigureName) => string,
): string {
  const rows = goals.flatMap((goal) => {
    const { workload, store, figure, line = 'shelflist', of, atLeast, atMost } = goal;
    const lines = linesOf(workload, store);
    const valueOf = (target: string) => lines?.find((each) => each.target === target)?.figures[figure];
    const value = valueOf(line);
    const base = of === undefined ? 1 : valueOf(of);
    if (value === undefined || base === undefined) return [];
    const measured = value / base;
    const isReached = measured >= (atLeast ?? -Infinity) && measured <= (atMost ?? Infinity);
    const needed = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
    const what = `${labelOf(figure)}${of === undefined ? '' : `, of ${of}`}`;
    const cells = [workload, store, what, needed, measured.toFixed(2), isReached ? 'yes' : 'no'];
    return [`| ${cells.join(' | ')} |`];
  });
  return [
    '| workload | store | figure | goal | measured | reached |',
    '|---|---|---|--:|--:|---|',
    ...rows,
  ].join('\n');
}
