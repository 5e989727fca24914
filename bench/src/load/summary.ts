/** Responses per second, and their times. */
export function summarise(
  latencies: readonly number[],
  seconds: number,
): { perSecond: number; p50Ms: number; p99Ms: number } {
  if (latencies.length === 0) throw new Error('nothing was answered');
  const sorted = Float64Array.from(latencies).sort();
  const percentile = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { perSecond: sorted.length / seconds, p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
}
