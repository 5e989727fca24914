import process from 'node:process';
import { openStore, ShelflistError } from '../../src/index.ts';
import type { Call, Reply } from '../store/remote-store.ts';

/** A separate process that opens a store, and runs the calls of its parent: `store-process.ts URL`. */
type Methods = Record<Call['name'], (...args: readonly unknown[]) => Promise<unknown>>;

const store = await openStore(process.argv[2] ?? '');

process.on('message', (call: Call) => void answer(call));

async function answer({ number, name, args }: Call): Promise<void> {
  let reply: Reply;
  try {
    const value: unknown = await (store as unknown as Methods)[name](...args);
    reply = { number, value };
  } catch (error) {
    const { message } = error as Error;
    reply = { number, error: { code: error instanceof ShelflistError ? error.code : undefined, message } };
  }
  if (process.connected) process.send?.(reply);
}

process.on('disconnect', () => void store.close());
process.send?.('open');
