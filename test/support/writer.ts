import process from 'node:process';
import { openStore } from '../../src/index.ts';

/** A separate process that creates books, 20 at once, and reports their ids: `writer.ts URL COUNT`. */
const [url = '', count = '0'] = process.argv.slice(2);
const store = await openStore(url);
const ids: number[] = [];
let left = Number(count);
const write = async () => {
  while (left-- > 0)
    ids.push((await store.create({ title: 'by a process', author: '', year: process.pid })).id);
};
await Promise.all(Array.from({ length: 20 }, write));
await store.close();
process.send?.(ids);
process.disconnect();
