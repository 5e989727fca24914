import process from 'node:process';
import { openStore } from '../../src/index.ts';

/** A separate process that opens a store, reads one book, and closes it: `opener.ts URL`. */
const store = await openStore(process.argv[2] ?? '');
await store.get(1);
await store.close();
