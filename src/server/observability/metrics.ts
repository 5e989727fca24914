import { monitorEventLoopDelay } from 'node:perf_hooks';
import { version } from '../../../package.json';
import type { StoreMeasures } from '../../store/contract/store.ts';

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** The upper bounds of the duration buckets, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts what the service does, for `GET /metrics`. Labels never come from requests, so that clients cannot create any. */
export interface Metrics {
  /** Counts a response. `route` is a path of the route table. */
  countResponse(method: string, route: string, status: number, seconds: number): void;
  countFailedLogin(): void;
  /** Counts a call of the store, whether it succeeds or not. */
  countStoreCall(operation: string, seconds: number): void;
  /** The metrics in the text format of Prometheus (version 0.0.4). */
  text(): string | Promise<string>;
}

/** A sum of durations, and how they are spread. */
interface Histogram {
  /** The number of durations between each bound and the previous one. */
  readonly buckets: readonly number[];
  readonly count: number;
  /** In whole microseconds: a sum of fractions depends on their order, and could decrease. */
  readonly sum: number;
}

/** Counters as plain data, which can be sent and added, by series: `shelflist_requests_total{method="GET",…}`. They only increase. */
export interface Counts {
  readonly counters: Readonly<Record<string, number>>;
  readonly histograms: Readonly<Record<string, Histogram>>;
}

/** The state of a process, by family: `process_resident_memory_bytes`. */
export type ProcessState = Readonly<Record<string, number>>;

/** The numbers of one process. */
export interface Numbers {
  readonly counts: Counts;
  readonly state: ProcessState;
}

const failedLogins = 'shelflist_failed_logins_total';
export const noCounts: Counts = { counters: { [failedLogins]: 0 }, histograms: {} };

/** Creates the metrics of this process alone. */
export function createMetrics(): Metrics & { numbers(): Numbers } {
  const counters: Record<string, number> = { ...noCounts.counters };
  const histograms: Record<string, { buckets: number[]; count: number; sum: number }> = {};
  const increase = (series: string) => {
    counters[series] = (counters[series] ?? 0) + 1;
  };
  const record = (series: string, seconds: number) => {
    const histogram = (histograms[series] ??= { buckets: bounds.map(() => 0), count: 0, sum: 0 });
    histogram.count++;
    histogram.sum += Math.round(seconds * 1e6);
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    if (bucket !== -1) histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1;
  };
  const readState = createStateReader();
  const numbers = () => ({ counts: { counters, histograms }, state: readState() });
  return {
    countResponse(method, route, status, seconds) {
      const labels = `method="${method}",route="${route}"`;
      increase(`shelflist_requests_total{${labels},status="${status}"}`);
      record(`shelflist_request_duration_seconds{${labels}}`, seconds);
    },
    countFailedLogin() {
      increase(failedLogins);
    },
    countStoreCall(operation, seconds) {
      record(`shelflist_store_duration_seconds{operation="${operation}"}`, seconds);
    },
    numbers,
    text() {
      const { counts, state } = numbers();
      return formatMetrics(counts, new Map([['', state]]));
    },
  };
}

function createStateReader(): () => ProcessState {
  const delay = monitorEventLoopDelay();
  delay.enable();
  return () => {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const p99 = delay.percentile(99);
    delay.reset(); // Each scrape reports the time since the last one.
    return {
      process_cpu_seconds_total: (user + system) / 1e6,
      process_start_time_seconds: Math.round(performance.timeOrigin / 1000),
      process_resident_memory_bytes: rss,
      nodejs_heap_size_used_bytes: heapUsed,
      nodejs_eventloop_lag_p99_seconds: p99 / 1e9,
    };
  };
}

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    counters: merge(a.counters, b.counters, (one, other) => one + other),
    histograms: merge(a.histograms, b.histograms, (one, other) => ({
      buckets: one.buckets.map((value, i) => value + (other.buckets[i] ?? 0)),
      count: one.count + other.count,
      sum: one.sum + other.sum,
    })),
  };
}

function merge<T>(a: Readonly<Record<string, T>>, b: Readonly<Record<string, T>>, add: (a: T, b: T) => T) {
  const merged: Record<string, T> = { ...a };
  for (const [series, value] of Object.entries(b)) {
    const own = merged[series];
    merged[series] = own === undefined ? value : add(own, value);
  }
  return merged;
}

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

/** The families of the catalogue, which all processes share. */
const catalogueFamilies: readonly (readonly [member: keyof Catalogue, name: string, help: string])[] = [
  ['books', 'shelflist_books', 'Books in the catalogue.'],
  ['databaseBytes', 'shelflist_database_size_bytes', 'Size of the database, with its indexes.'],
  ['walBytes', 'shelflist_wal_size_bytes', 'Size of the write-ahead log (SQLite).'],
  ['historyBytes', 'shelflist_history_size_bytes', 'Size of earlier states and deleted books (SQLite).'],
  ['diskFreeBytes', 'shelflist_disk_free_bytes', 'Free bytes of the disk of the store (SQLite).'],
  ['diskBytes', 'shelflist_disk_size_bytes', 'Size of the disk of the store (SQLite).'],
  [
    'lastBackupSeconds',
    'shelflist_last_backup_timestamp_seconds',
    'Last good backup, in seconds since 1970 (SQLite).',
  ],
];

export type Catalogue = StoreMeasures & { readonly books?: number };

/** Formats what is known of the catalogue, which a store of an embedder may have measured, and of the program. */
export function formatCatalogue(catalogue: Catalogue): string {
  const lines = catalogueFamilies.flatMap(([member, name, help]) => {
    const value = catalogue[member];
    return [...family(name, 'gauge', help), ...(Number.isFinite(value) ? [`${name} ${value}`] : [])];
  });
  const program = [
    ...family('shelflist_build_info', 'gauge', 'The program: always 1.'),
    `shelflist_build_info{version="${version}",node="${process.versions.node}"} 1`,
  ];
  return `${[...program, ...lines].join('\n')}\n`;
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
