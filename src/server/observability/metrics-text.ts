import type { Counts, Histogram, ProcessState } from './metrics.ts';

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** The upper bounds of the duration buckets, in seconds. */
export const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The families, in the order of the text. Names of process metrics are those of the Prometheus clients. */
const families: readonly (readonly [name: string, type: 'counter' | 'gauge' | 'histogram', help: string])[] =
  [
    ['shelflist_requests_total', 'counter', 'Responses sent, by method, route and status.'],
    ['shelflist_request_duration_seconds', 'histogram', 'Time from a request to its response.'],
    ['shelflist_failed_logins_total', 'counter', 'Logins refused because of a wrong username or password.'],
    ['shelflist_store_duration_seconds', 'histogram', 'Time of a call of the store.'],
    ['shelflist_worker_restarts_total', 'counter', 'Workers that ended and were replaced.'],
    ['process_cpu_seconds_total', 'counter', 'CPU time of the process.'],
    ['process_start_time_seconds', 'gauge', 'Start of the process, in seconds since 1970.'],
    ['process_resident_memory_bytes', 'gauge', 'Resident memory of the process.'],
    ['nodejs_heap_size_used_bytes', 'gauge', 'Memory of JavaScript objects.'],
    [
      'nodejs_eventloop_lag_p99_seconds',
      'gauge',
      '99th percentile of the event loop delay since the last scrape.',
    ],
  ];

/** @param states The state of each process, by labels. A single process has the empty label. */
export function formatMetrics(counts: Counts, states: ReadonlyMap<string, ProcessState>): string {
  const lines = families.flatMap(([name, type, help]) => {
    const series = type === 'histogram' ? histogramsOf(name, counts) : valuesOf(name, counts, states);
    return [...family(name, type, help), ...series];
  });
  return `${lines.join('\n')}\n`;
}

/** The text of the gauge of books. */
export function formatBooks(count: number): string {
  return `${[...family('shelflist_books', 'gauge', 'Books in the catalogue.'), `shelflist_books ${count}`].join('\n')}\n`;
}

function valuesOf(name: string, { counters }: Counts, states: ReadonlyMap<string, ProcessState>): string[] {
  const ofProcesses = [...states].flatMap(([labels, state]) => {
    const value = state[name];
    return value === undefined ? [] : [`${name}${labels && `{${labels}}`} ${value}`];
  });
  const own = Object.entries(counters).filter(([series]) => familyOf(series) === name);
  return [...ofProcesses, ...own.map(([series, value]) => `${series} ${value}`)];
}

function histogramsOf(name: string, { histograms }: Counts): string[] {
  const own = Object.entries(histograms).filter(([series]) => familyOf(series) === name);
  return own.flatMap(([series, histogram]) =>
    histogramLines(name, series.slice(name.length + 1, -1), histogram),
  );
}

function histogramLines(name: string, labels: string, { buckets, count, sum }: Histogram): string[] {
  let below = 0;
  return [
    ...bounds.map((bound, i) => {
      below += buckets[i] ?? 0;
      return `${name}_bucket{${labels},le="${bound}"} ${below}`;
    }),
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sum / 1e6}`,
    `${name}_count{${labels}} ${count}`,
  ];
}

const familyOf = (series: string) => series.split('{', 1)[0];

function family(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
