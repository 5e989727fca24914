/** The bounds of the buckets of durations, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Where answers are counted, and where `GET /metrics` has its text from. */
export interface Metrics {
  /** Counts an answer. `route` is one of the table's paths, so that no request can make a new label. */
  count(method: string, route: string, status: number, seconds: number): void;
  /** What was counted so far, in the text format of Prometheus (version 0.0.4). */
  text(): string | Promise<string>;
}

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** What was counted, as plain data that can be added up. It only grows. */
export interface Counts {
  /** By their labels. */
  readonly requests: Readonly<Record<string, number>>;
  /** How many durations lie between each bound and the one before. */
  readonly buckets: readonly number[];
  readonly count: number;
  /** In microseconds, whole: the sum of fractions depends on their order, and could fall by a hair. */
  readonly sum: number;
}

export const noCounts: Counts = { requests: {}, buckets: bounds.map(() => 0), count: 0, sum: 0 };

/** What one process takes, in bytes. */
export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
}

/** What one process has counted, and takes at the moment. */
export interface Numbers {
  readonly counts: Counts;
  readonly memory: Memory;
}

/** Counts for this process alone. */
export function createMetrics(): Metrics & { numbers(): Numbers } {
  const requests: Record<string, number> = {};
  const buckets = [...noCounts.buckets];
  let count = 0;
  let sum = 0;
  const numbers = () => {
    const { rss, heapUsed } = process.memoryUsage();
    return { counts: { requests, buckets, count, sum }, memory: { rss, heapUsed } };
  };
  return {
    count(method, route, status, seconds) {
      const labels = `method="${method}",route="${route}",status="${status}"`;
      requests[labels] = (requests[labels] ?? 0) + 1;
      count++;
      sum += Math.round(seconds * 1e6);
      const bucket = bounds.findIndex((bound) => seconds <= bound);
      if (bucket !== -1) buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    },
    numbers,
    text() {
      const { counts, memory } = numbers();
      return formatMetrics(counts, new Map([['', memory]]));
    },
  };
}

export function addCounts(a: Counts, b: Counts): Counts {
  const requests = { ...a.requests };
  for (const [labels, value] of Object.entries(b.requests))
    requests[labels] = (requests[labels] ?? 0) + value;
  return {
    requests,
    buckets: a.buckets.map((value, i) => value + (b.buckets[i] ?? 0)),
    count: a.count + b.count,
    sum: a.sum + b.sum,
  };
}

/** @param memories What processes take, by their labels; without any, where there is only one. */
export function formatMetrics(
  { requests, buckets, count, sum }: Counts,
  memories: ReadonlyMap<string, Memory>,
): string {
  let below = 0;
  const gauges = (name: string, key: keyof Memory) =>
    [...memories].map(([labels, memory]) => `${name}${labels && `{${labels}}`} ${memory[key]}`);
  const lines = [
    ...family('shelflist_requests_total', 'counter', 'Answers sent, by method, route and status.'),
    ...Object.entries(requests).map(([labels, value]) => `shelflist_requests_total{${labels}} ${value}`),
    ...family('shelflist_request_duration_seconds', 'histogram', 'From a request to its answer.'),
    ...bounds.map((bound, i) => {
      below += buckets[i] ?? 0;
      return `shelflist_request_duration_seconds_bucket{le="${bound}"} ${below}`;
    }),
    `shelflist_request_duration_seconds_bucket{le="+Inf"} ${count}`,
    `shelflist_request_duration_seconds_sum ${sum / 1e6}`,
    `shelflist_request_duration_seconds_count ${count}`,
    ...family('process_resident_memory_bytes', 'gauge', 'Memory that the process has in RAM.'),
    ...gauges('process_resident_memory_bytes', 'rss'),
    ...family('nodejs_heap_size_used_bytes', 'gauge', 'Memory that JavaScript objects take.'),
    ...gauges('nodejs_heap_size_used_bytes', 'heapUsed'),
  ];
  return `${lines.join('\n')}\n`;
}

function family(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
