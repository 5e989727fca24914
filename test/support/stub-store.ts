import type { CompleteStore } from '../../src/store.ts';

/** A store that fails every call with `error`, except those that a test replaces: for failures that no real store has on demand. */
export function stubStore(error: Error, replaced: Partial<CompleteStore> = {}): CompleteStore {
  const fail = () => Promise.reject(error);
  return {
    description: 'a store that fails',
    create: fail,
    createMany: fail,
    get: fail,
    // eslint-disable-next-line require-yield -- it fails before it has anything to yield.
    async *iterate() {
      await fail();
    },
    // eslint-disable-next-line require-yield -- it fails before it has anything to yield.
    async *duplicateCandidates() {
      await fail();
    },
    find: fail,
    findDuplicatesOf: fail,
    count: fail,
    statistics: fail,
    suggest: fail,
    // eslint-disable-next-line require-yield -- it fails before it has anything to yield.
    async *authors() {
      await fail();
    },
    // eslint-disable-next-line require-yield -- it fails before it has anything to yield.
    async *words() {
      await fail();
    },
    corrections: fail,
    version: fail,
    events: fail,
    update: fail,
    delete: fail,
    history: fail,
    revert: fail,
    trash: fail,
    batch: fail,
    batches: fail,
    undo: fail,
    measure: () => Promise.resolve({}),
    checkWrites: fail,
    close: () => Promise.resolve(),
    ...replaced,
  };
}
