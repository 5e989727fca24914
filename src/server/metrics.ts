/** The bounds of the buckets of durations, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What was counted so far, in the text format of Prometheus (version 0.0.4). */
export interface Metrics {
  /** Counts an answer. `route` is one of the table's paths, so that no request can make a new label. */
  count(method: string, route: string, status: number, seconds: number): void;
  text(): string;
}

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

export function createMetrics(): Metrics {
  const requests = new Map<string, number>();
  const buckets = bounds.map(() => 0);
  let count = 0;
  let sum = 0;
  return {
    count(method, route, status, seconds) {
      const labels = `method="${method}",route="${route}",status="${status}"`;
      requests.set(labels, (requests.get(labels) ?? 0) + 1);
      count++;
      sum += seconds;
      const bucket = bounds.findIndex((bound) => seconds <= bound);
      if (bucket !== -1) buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    },
    text() {
      const { rss, heapUsed } = process.memoryUsage();
      let below = 0;
      const lines = [
        ...family('shelflist_requests_total', 'counter', 'Answers sent, by method, route and status.'),
        ...[...requests].map(([labels, value]) => `shelflist_requests_total{${labels}} ${value}`),
        ...family('shelflist_request_duration_seconds', 'histogram', 'From a request to its answer.'),
        ...bounds.map((bound, i) => {
          below += buckets[i] ?? 0;
          return `shelflist_request_duration_seconds_bucket{le="${bound}"} ${below}`;
        }),
        `shelflist_request_duration_seconds_bucket{le="+Inf"} ${count}`,
        `shelflist_request_duration_seconds_sum ${sum}`,
        `shelflist_request_duration_seconds_count ${count}`,
        ...family('process_resident_memory_bytes', 'gauge', 'Memory that the process has in RAM.'),
        `process_resident_memory_bytes ${rss}`,
        ...family('nodejs_heap_size_used_bytes', 'gauge', 'Memory that JavaScript objects take.'),
        `nodejs_heap_size_used_bytes ${heapUsed}`,
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}

function family(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
