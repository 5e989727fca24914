import { monitorEventLoopDelay } from 'node:perf_hooks';
import { bounds, formatMetrics } from './metrics-text.ts';

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
export interface Histogram {
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
