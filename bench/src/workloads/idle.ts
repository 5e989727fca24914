import { ask } from '../ask.ts';
import { readMemoryMb } from '../proc.ts';
import { settle } from '../seed.ts';
import { translate } from '../pocketbase.ts';
import { ceiling, ours, pocketBase, targetsOn } from '../targets.ts';
import { requests } from './requests.ts';
import type { Workload } from './workload.ts';

/** Measures the memory of a server without books, after one request and a moment of rest. */
export const idle: Workload = {
  name: 'idle',
  title: 'Memory of an idle server without books',
  stores: ['embedded', 'mongodb'],
  targets: (store) => targetsOn(store, 'idle').map(({ name }) => name),
  compared: { figure: 'idleMb', with: ceiling.name },
  async measure({ stage, store }, name) {
    const target = targetsOn(store, 'idle').find((each) => each.name === name) ?? ours;
    const server = await stage.start(target, store, {
      isEmpty: true,
      answers: { GET: { status: 200, headers: {}, body: '{}' } },
    });
    try {
      const headers = await stage.logIn(target, server.url);
      const { path } = target === pocketBase ? translate(requests.page) : requests.list;
      await ask(server.url + path, { headers });
      await settle(server);
      return { idleMb: readMemoryMb(server.pids(), 'VmRSS') };
    } finally {
      await server.stop();
    }
  },
};
