/**
 * Works on each item, on some at once. After a failure, no more work begins.
 *
 * @param max How many at once.
 * @throws The first failure, once all work that began has ended.
 */
export async function eachAtOnce<Item>(
  items: readonly Item[],
  max: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const failures: unknown[] = [];
  const run = async () => {
    for (const item of waiting) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: max }, run));
  if (failures.length > 0) throw failures[0];
}
