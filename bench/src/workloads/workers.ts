import { measureLoad } from './http.ts';
import { ours } from '../targets.ts';
import { requests } from './requests.ts';
import type { Workload } from './workload.ts';

const one = 'shelflist, 1 worker';
const two = 'shelflist, 2 workers';

/** Measures the cost of a second process: CPU time per request. */
export const workers: Workload = {
  name: 'workers',
  title: 'One book, one worker and two',
  stores: ['embedded', 'mongodb'],
  targets: () => [one, two],
  compared: { figure: 'serverMicros', with: one },
  measure: (setting, target) =>
    measureLoad(
      setting,
      ours,
      { name: 'workers', title: '', request: requests.book },
      { workers: target === two ? 2 : 1 },
    ),
};
