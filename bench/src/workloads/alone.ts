import { runScript } from '../generator.ts';
import type { DriverTask } from '../load/driver.ts';
import type { Outcome } from '../load/job.ts';
import { ours, targetsOn } from '../targets.ts';
import { measureLoad, prepare, type HttpWorkload } from './http.ts';
import { requests } from './requests.ts';
import type { Workload } from './workload.ts';

const driverAlone = 'driver, no server';

/** Measures one connection: the time that the service adds to the same calls of MongoDB's driver. */
export function createAlone(kind: 'book' | 'create'): Workload {
  const workload: HttpWorkload = {
    name: `${kind}-alone`,
    title: kind === 'book' ? 'One book, one connection' : 'Create, one connection',
    connections: 1,
    request: requests[kind],
    grows: kind === 'create',
  };
  const servers = ['shelflist', 'driver', 'Fastify', 'Express'];
  return {
    name: workload.name,
    title: workload.title,
    stores: ['mongodb'],
    targets: () => [driverAlone, ...servers],
    compared: { figure: 'p50Ms', with: driverAlone },
    async measure(setting, name) {
      const { stage, store, seconds, warmUpSeconds } = setting;
      if (name === driverAlone) {
        const task: DriverTask = {
          url: await stage.mongoAddress('driver-alone'),
          books: stage.books.slice(0, 1000),
          kind,
          seconds,
          warmUpSeconds,
        };
        const { perSecond, p50Ms, p99Ms } = await runScript<Outcome>('load/driver.js', task);
        return { perSecond, p50Ms, p99Ms };
      }
      const target = targetsOn(store, workload.name).find((each) => each.name === name) ?? ours;
      return measureLoad(setting, target, workload, await prepare(stage, store, target, workload));
    },
  };
}
