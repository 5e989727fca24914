/** The number of requests at the same time. */
const parallel = 4;

/**
 * Does something with each item, with several at once. After a failure nothing more begins.
 *
 * @throws The first failure, once everything that was begun has ended.
 */
export async function atOnce<Item>(
  items: readonly Item[],
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
  await Promise.all(Array.from({ length: parallel }, run));
  if (failures.length > 0) throw failures[0];
}
