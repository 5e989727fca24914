import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';

/** What a database address names: a folder of the embedded store, or a MongoDB deployment. */
export type StoreAddress = { kind: 'embedded'; path: string } | { kind: 'mongodb'; url: string };

/**
 * Reads a database address: `file:PATH` (relative to the working directory, or absolute; `file:///PATH` is a
 * file URL), `mongodb://…` or `mongodb+srv://…`.
 *
 * @throws {TypeError} For anything else. The message never repeats the address: it may hold a password.
 */
export function parseStoreAddress(address: string): StoreAddress {
  if (/^mongodb(\+srv)?:\/\/./.test(address)) return { kind: 'mongodb', url: address };
  if (address.startsWith('file://')) return { kind: 'embedded', path: fileUrlPath(address) };
  if (/^file:./.test(address)) return { kind: 'embedded', path: resolve(address.slice('file:'.length)) };
  throw new TypeError('is neither file:PATH nor mongodb://… nor mongodb+srv://…');
}

function fileUrlPath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new TypeError('is not a usable file URL: write file:PATH, for example file:./data');
  }
}
