import type { BookStore } from '../../store/store.ts';
import type { Metrics } from './metrics.ts';

/** A store that counts the durations of its calls; not of streams, whose reader sets the pace. */
export function measureStore(store: BookStore, metrics: Metrics): BookStore {
  const measure =
    <Args extends unknown[], T>(operation: string, call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      const begun = performance.now();
      try {
        return await call(...args);
      } finally {
        metrics.countStoreCall(operation, (performance.now() - begun) / 1000);
      }
    };
  return {
    description: store.description,
    create: measure('create', (...args) => store.create(...args)),
    createMany: measure('createMany', (...args) => store.createMany(...args)),
    get: measure('get', (...args) => store.get(...args)),
    list: (...args) => store.list(...args),
    find: measure('find', (...args) => store.find(...args)),
    findSame: measure('findSame', (...args) => store.findSame(...args)),
    count: measure('count', (...args) => store.count(...args)),
    statistics: measure('statistics', (...args) => store.statistics(...args)),
    suggest: measure('suggest', (...args) => store.suggest(...args)),
    corrections: measure('corrections', (...args) => store.corrections(...args)),
    version: measure('version', () => store.version()),
    changes: measure('changes', (...args) => store.changes(...args)),
    events: (...args) => store.events(...args),
    update: measure('update', (...args) => store.update(...args)),
    delete: measure('delete', (...args) => store.delete(...args)),
    history: measure('history', (...args) => store.history(...args)),
    revert: measure('revert', (...args) => store.revert(...args)),
    trash: measure('trash', (...args) => store.trash(...args)),
    batch: measure('batch', (...args) => store.batch(...args)),
    undo: measure('undo', (...args) => store.undo(...args)),
    close: () => store.close(),
  };
}
