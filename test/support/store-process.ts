import process from 'node:process';
import { openStore, ShelflistError, type BookStore } from '../../src/index.ts';
import type { Call, Reply } from './remote-store.ts';

/** A process of its own that has a store open, and does there what its parent asks for: `store-process.ts URL`. */
const store = await openStore(process.argv[2] ?? '');

process.on('message', async ({ number, name, args }: Call) => {
  let reply: Reply;
  try {
    const method = store[name] as (...all: unknown[]) => unknown;
    reply = { number, value: await method.apply(store, [...args]) };
  } catch (error) {
    const { message } = error as Error;
    reply = { number, error: { code: error instanceof ShelflistError ? error.code : undefined, message } };
  }
  if (process.connected) process.send?.(reply);
});
process.on('disconnect', () => void (store satisfies BookStore).close());
process.send?.('open');
