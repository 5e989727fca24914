import { ours } from '../targets.ts';
import { repeat, timeCommand } from './processes.ts';
import type { Workload } from './workload.ts';

const nodeAlone = 'node -e 0';
const commands: Readonly<Record<string, (program: string) => readonly string[]>> = {
  [nodeAlone]: () => ['-e', '0'],
  'shelflist --version': (program) => [program, '--version'],
  'shelflist get 1': (program) => [program, 'get', '1'],
};

/** Measures commands that do very little. */
export const client: Workload = {
  name: 'client',
  title: 'Start of the client',
  stores: ['embedded'],
  targets: () => Object.keys(commands),
  compared: { figure: 'ms', with: nodeAlone },
  async measure({ stage, store, isSmoke }, target) {
    const server = await stage.start(ours, store);
    try {
      const { Authorization: token = '' } = await stage.logIn(ours, server.url);
      const env = { SHELFLIST_URL: server.url, SHELFLIST_TOKEN: token };
      return await repeat(isSmoke ? 1 : 15, () =>
        timeCommand(commands[target]?.(stage.program) ?? [], { cwd: stage.folder, env }),
      );
    } finally {
      await server.stop();
    }
  },
};
