// The addresses memory: and memory:NAME.
import { randomBytes } from 'node:crypto';
import type { Driver } from '../contract/driver.ts';
import { shelfOf } from './data.ts';
import { MemoryStore } from './store.ts';

/**
 * Books in the memory of this process: `memory:` is a new, empty store at each open; `memory:NAME` is shared by
 * everything in the process that opens this name.
 */
export const memoryDriver: Driver = {
  open(url, options) {
    const name = nameOf(url);
    // A store without a name is another one each time, and its tokens are for it alone.
    const description = `memory store ${name === '' ? randomBytes(6).toString('hex') : name}`;
    return Promise.resolve(new MemoryStore(shelfOf(name), description, options));
  },
  inspect: () => Promise.resolve(undefined),
  redact: (url) => url,
};

function nameOf(url: string): string {
  return url.slice('memory:'.length);
}
