import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { readMemoryMb } from '../proc.ts';
import { ours } from '../targets.ts';
import { timeCommand } from './processes.ts';
import type { Workload } from './workload.ts';

/** Imports all books from a CSV file into an empty catalogue. */
export const importing: Workload = {
  name: 'import',
  title: 'Import of 10,000 books from CSV',
  stores: ['embedded', 'mongodb'],
  targets: () => [ours.name],
  compared: { figure: 'ms', with: ours.name },
  async measure({ stage, store }) {
    const file = join(stage.folder, 'books.csv');
    await writeFile(
      file,
      stringify([...stage.books], { header: true, columns: ['title', 'author', 'year'] }),
    );
    const server = await stage.start(ours, store, { isEmpty: true });
    try {
      const { Authorization: token = '' } = await stage.logIn(ours, server.url);
      const env = { SHELFLIST_URL: server.url, SHELFLIST_TOKEN: token };
      const taken = await timeCommand([stage.program, 'import', file], { cwd: stage.folder, env });
      return { ...taken, peakMb: readMemoryMb(server.pids(), 'VmHWM') };
    } finally {
      await server.stop();
    }
  },
};
