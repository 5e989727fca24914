import { parentPort } from 'node:worker_threads';
import type { TaskAnswer, TaskRequest, TaskTable } from './task-thread.ts';

let running: TaskRequest['stop'];

/** Whether the caller of the task that runs in this thread no longer waits for it. */
export function isStopped(): boolean {
  return running !== undefined && Atomics.load(running, 0) === 1;
}

/**
 * Answers the requests of a `TaskThread`, inside the thread.
 *
 * @param describe Converts an error to a value that can be cloned.
 * @param close Runs when the thread ends.
 */
export function serveTasks<Tasks extends { [Name in keyof Tasks]: (...args: never[]) => unknown }>(
  tasks: Tasks,
  describe: (error: unknown) => unknown,
  close: () => void,
): void {
  const table = tasks as unknown as TaskTable;
  const answer = ({ task, args, stop }: TaskRequest): TaskAnswer => {
    running = stop;
    try {
      return { value: table[task]?.(...(args as never[])) };
    } catch (error) {
      return { error: describe(error) };
    }
  };
  parentPort?.on('message', (request: TaskRequest | 'close') => {
    if (request !== 'close') {
      parentPort?.postMessage(answer(request));
      return;
    }
    try {
      close();
    } finally {
      parentPort?.close();
    }
  });
}
