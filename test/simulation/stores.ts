// The stores of a simulated world, which its services open again after each stop.
import { join } from 'node:path';
import type { BookStore } from '../../src/index.ts';
import { MemoryData } from '../../src/store/memory/data.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';
import { failure } from '../../src/store/sqlite/damage.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { createTasks, describe } from '../../src/store/sqlite/thread-tasks.ts';
import { toError, type StoreThread, type ThreadData } from '../../src/store/sqlite/thread.ts';
import { memoryFolder, temporaryFolder, type Scope } from '../support/temp.ts';
import type { World } from './world.ts';

/** Creates a store in a world; returns the function that opens it. */
export type StoreKind = (scope: Scope, world: World) => Promise<() => BookStore | Promise<BookStore>>;

/** Books in memory. @param plant Replaces methods of the store that it receives. */
export function inMemory(
  plant?: (store: MemoryStore, shelf: MemoryData, world: World) => Partial<BookStore>,
): StoreKind {
  return (_, world) => {
    const shelf = new MemoryData();
    const open = () => new MemoryStore(shelf, 'simulated store', {});
    return Promise.resolve(() => Object.assign(open(), plant?.(open(), shelf, world)));
  };
}

/** The embedded store: real files, and calls in place of its threads. */
export const inSqlite: StoreKind = async (scope, world) => {
  const path = join(await temporaryFolder(scope, memoryFolder()), 'data');
  return () => openSqliteStore(path, {}, (data) => callInstead(world, data));
};

/** The longest time of a task, in milliseconds. */
const maxTaskMs = 10;

/** Runs the tasks of a thread one after the other, each after some simulated time. */
function callInstead(world: World, data: ThreadData): StoreThread {
  const tasks = createTasks(data, () => false);
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task, args, signal) {
      const given = structuredClone(args);
      const running = last.then(async () => {
        await world.delay(world.fraction() ** 3 * maxTaskMs);
        if (signal?.aborted === true) throw failure(false, signal.reason);
        try {
          return structuredClone(tasks.run(task, given)) as never;
        } catch (error) {
          throw toError(structuredClone(describe(error)));
        }
      });
      last = running.catch(() => undefined);
      return running;
    },
    start: () => undefined,
    async close() {
      await last;
      tasks.close();
    },
  };
}
