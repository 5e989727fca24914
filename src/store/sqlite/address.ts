// The folder that an address file: names.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder that a `file:` address names: `file:PATH`, relative to the working directory or absolute, or
 * `file:///PATH`.
 *
 * @throws {TypeError} The address names no folder.
 */
export function parseFileUrl(url: string): string {
  const path = url.slice('file:'.length);
  if (path === '') throw new TypeError('names no folder: write file:PATH, for example file:./data');
  if (!path.startsWith('//')) return resolve(path);
  try {
    return fileURLToPath(url);
  } catch {
    throw new TypeError('is not a usable file URL: write file:PATH, for example file:./data');
  }
}
