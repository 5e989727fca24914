// The program of the threads.
import { workerData } from 'node:worker_threads';
import { useBinding } from './binding.ts';
import { isStopped, serveTasks } from './task-thread.ts';
import type { ThreadData } from './thread.ts';
import { createTasks, describe } from './thread-tasks.ts';

const data = workerData as ThreadData;
useBinding(data.binding);
const { run, close } = createTasks(data, isStopped);
serveTasks(run, describe, close);
