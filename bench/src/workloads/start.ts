import { ask } from '../ask.ts';
import { ceiling, ours } from '../targets.ts';
import { repeat, timeCommand } from './processes.ts';
import type { Sample, Setting, Workload } from './workload.ts';

const nodeAlone = 'node -e 0';

/** Measures the time until a server with 10,000 books has answered. */
export const start: Workload = {
  name: 'start',
  title: 'Start of the service',
  stores: ['embedded', 'mongodb'],
  targets: () => [nodeAlone, ceiling.name, ours.name],
  compared: { figure: 'ms', with: nodeAlone },
  async measure(setting, target) {
    const times = setting.isSmoke ? 1 : 9;
    if (target === nodeAlone)
      return repeat(times, () => timeCommand(['-e', '0'], { cwd: setting.stage.folder }));
    const { ms = 0 } = await repeat(times, () => timeStart(setting, target));
    return { ms };
  },
};

async function timeStart({ stage, store }: Setting, name: string): Promise<Sample> {
  const target = name === ours.name ? ours : ceiling;
  const path = target === ours ? '/livez' : '/';
  // Copying the data is not part of the start.
  const database = target === ours ? await stage.seeded(store, stage.books) : undefined;
  const begun = performance.now();
  const server = await stage.start(target, store, {
    ...(database !== undefined && { database }),
    answers: { GET: { status: 200, headers: {}, body: '{}' } },
  });
  try {
    await ask(server.url + path);
    return { ms: performance.now() - begun };
  } finally {
    await server.stop();
  }
}
