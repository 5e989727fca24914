import { measureLoad } from './http.ts';
import { ours } from '../targets.ts';
import { requests } from './requests.ts';
import type { Workload } from './workload.ts';

const one = 'shelflist, 1 worker';
const two = 'shelflist, 2 workers';

/** What a second process costs: the server's time for each request. */
export const workers: Workload = {
  name: 'workers',
  title: 'one book, one worker and two',
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
