import { storeMethods, type CompleteStore } from '../../store/contract/store.ts';
import type { Metrics } from './metrics.ts';

/** Their duration depends on the reader of a stream, or on the end of the service. */
const unmeasured: readonly string[] = ['iterate', 'authors', 'sameGroups', 'events', 'close'];

/** A store that counts the durations of its calls. */
export function measureStore(store: CompleteStore, metrics: Metrics): CompleteStore {
  const calls = store as unknown as Record<keyof CompleteStore, (...args: readonly unknown[]) => unknown>;
  const methods = storeMethods.map((name) => {
    const call = (...args: readonly unknown[]) => calls[name](...args);
    const measured = async (...args: readonly unknown[]) => {
      const begun = performance.now();
      try {
        return await call(...args);
      } finally {
        metrics.countStoreCall(name, (performance.now() - begun) / 1000);
      }
    };
    return [name, unmeasured.includes(name) ? call : measured];
  });
  const own = {
    description: store.description,
    measure: () => store.measure(),
    checkWrites: () => store.checkWrites(),
  };
  return { ...own, ...Object.fromEntries(methods) } as CompleteStore;
}
