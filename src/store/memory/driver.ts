// The addresses memory: and memory:NAME.
import type { Driver } from '../contract/driver.ts';
import { shelfOf } from './shelf.ts';
import { MemoryStore } from './store.ts';

/**
 * Books in the memory of this process: `memory:` is a new, empty store at each open; `memory:NAME` is shared by
 * everything in the process that opens this name.
 */
export const memoryDriver: Driver = {
  open: (url, options) => Promise.resolve(new MemoryStore(shelfOf(nameOf(url)), 'memory store', options)),
  inspect: () => Promise.resolve(undefined),
  redact: (url) => url,
};

function nameOf(url: string): string {
  return url.slice('memory:'.length);
}
