import { parseArgs } from 'node:util';
import { makeBooks, readBooks } from '../data.ts';
import { startReplicaSetOrFail } from './mongod.ts';
import { measureIds } from './ids.ts';
import { measureSizes } from './sizes.ts';

const usage = `usage: npm run scale -- [ids] [sizes] [--books N] [--seconds N] [--data FILE]

  ids    allocates ids from 1 to 100 services on one mongod
  sizes  inserts books into MongoDB and SQLite, reads their sizes, and builds the indexes again
`;

/** Measures what docs/scale.md needs, and prints tables in Markdown. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      books: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '5' },
      data: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name);
  if (values.help || positionals.some((name) => !['ids', 'sizes'].includes(name))) {
    process.stderr.write(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const mongod = await startReplicaSetOrFail();
  try {
    if (isWanted('ids')) await measureIds(mongod.url, Number(values.seconds));
    const books = values.data === undefined ? makeBooks(10_000) : await readBooks(values.data);
    if (isWanted('sizes')) await measureSizes(mongod.url, books, Number(values.books));
  } finally {
    await mongod.stop();
  }
}

await main();
