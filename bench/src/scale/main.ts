import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBooks, readBooks } from '../data.ts';
import { startReplicaSetOrFail } from './mongod.ts';
import { measureCrawlers } from './crawlers.ts';
import { measureIds } from './ids.ts';
import { fillAndAsk } from './questions.ts';
import { measureSizes } from './sizes.ts';

const usage = `usage: npm run scale -- [ids] [sizes] [questions] [crawlers] [--books N] [--seconds N] [--data FILE] [--url URL]

  ids        allocates ids from 1 to 100 services on one mongod
  sizes      inserts books into MongoDB and SQLite, reads their sizes, and builds the indexes again
  questions  asks 25 questions of the HTTP API, and five about all books, of a store with --books books: of each kind, or
             of the one that --url names, which is filled if it is empty
  crawlers   what a reader of a public catalogue waits, without and with 100 crawlers; only if it is named
`;

/** Measures what docs/scale.md needs, and prints tables in Markdown. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      books: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '5' },
      data: { type: 'string' },
      url: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name);
  if (values.help || positionals.some((name) => !['ids', 'sizes', 'questions', 'crawlers'].includes(name))) {
    process.stderr.write(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const books = values.data === undefined ? makeBooks(10_000) : await readBooks(values.data);
  const count = Number(values.books);
  if (values.url !== undefined) {
    await fillAndAsk(values.url, books, count);
    return;
  }
  if (positionals.includes('crawlers')) {
    await measureCrawlers(books, Number(values.seconds));
    return;
  }
  const mongod = await startReplicaSetOrFail();
  try {
    if (isWanted('ids')) await measureIds(mongod.url, Number(values.seconds));
    if (isWanted('sizes')) await measureSizes(mongod.url, books, count);
    if (isWanted('questions')) {
      const folder = await mkdtemp(join(tmpdir(), 'shelflist-scale-'));
      const address = new URL(mongod.url);
      address.pathname = '/scale_questions';
      try {
        for (const url of [`file:${join(folder, 'books')}`, address.href])
          await fillAndAsk(url, books, count);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
  } finally {
    await mongod.stop();
  }
}

await main();
