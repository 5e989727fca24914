import { createAlone } from './alone.ts';
import { client } from './client.ts';
import { createHttpWorkload } from './http.ts';
import { httpWorkloads } from './http-workloads.ts';
import { idle } from './idle.ts';
import { importing } from './import.ts';
import { million } from './million.ts';
import { createScale } from './scale.ts';
import { start } from './start.ts';
import { workers } from './workers.ts';
import type { Workload } from './workload.ts';

/** Every workload, in the order of the tables. */
export const workloads: readonly Workload[] = [
  ...httpWorkloads.map(createHttpWorkload),
  createAlone('book'),
  createAlone('create'),
  million,
  workers,
  importing,
  createScale('scale-1m', 1_000_000),
  createScale('scale-5m', 5_000_000),
  client,
  start,
  idle,
];
