/**
 * Runs `task` over items as they come, up to `limit` at once. A task that fails stops the intake; what is
 * under way ends first, and then its error is thrown.
 */
export async function forEachAtOnce<T>(
  items: AsyncIterable<T>,
  limit: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  try {
    for await (const item of items) {
      const run: Promise<void> = task(item)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => underWay.delete(run));
      underWay.add(run);
      if (underWay.size >= limit) await Promise.race(underWay);
      if (failure) break;
    }
  } finally {
    await Promise.all(underWay);
  }
  if (failure) throw failure.error;
}
