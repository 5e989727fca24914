import process from 'node:process';
import { openStore, ShelflistError } from '../../src/index.ts';

/** A separate process that fills a store until it is full, and reports the result: `filler.ts URL`. */
const store = await openStore(process.argv[2] ?? '');
const acknowledged: number[] = [];
const refused: number[] = [];
const write = async () => {
  while (refused.length < 200) {
    try {
      acknowledged.push((await store.create({ title: 'x'.repeat(500), author: '', year: 0 })).id);
    } catch (error) {
      if (!(error instanceof ShelflistError) || error.code !== 'unavailable') throw error;
      refused.push(0);
    }
  }
};
await Promise.all(Array.from({ length: 10 }, write));
const listed: number[] = [];
for await (const page of store.list()) listed.push(...page.map((book) => book.id));
await store.close();
acknowledged.sort((a, b) => a - b);
process.stdout.write(JSON.stringify({ acknowledged, refused, listed }));
