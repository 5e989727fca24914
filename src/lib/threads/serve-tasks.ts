import { parentPort } from 'node:worker_threads';
import type { TaskAnswer, TaskRequest } from './task-thread.ts';

let running: TaskRequest['stop'];

/** Whether the caller of the task that runs in this thread no longer waits for it. */
export function isStopped(): boolean {
  return running !== undefined && Atomics.load(running, 0) === 1;
}

/**
 * Answers the requests of a `TaskThread`, inside the thread.
 *
 * @param run Runs a task.
 * @param describe Converts an error to a value that can be cloned.
 * @param close Runs when the thread ends.
 */
export function serveTasks(
  run: (task: string, args: readonly unknown[]) => unknown,
  describe: (error: unknown) => unknown,
  close: () => void,
): void {
  const answer = ({ task, args, stop }: TaskRequest): TaskAnswer => {
    running = stop;
    try {
      return { value: run(task, args) };
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
