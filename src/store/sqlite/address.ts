// The folder that an address file: names.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArgumentError } from '../../catalogue/errors.ts';
import { findShellSyntax } from '../../lib/shell-syntax.ts';

/**
 * The folder that a `file:` address names: `file:PATH`, relative to the working directory or absolute, or
 * `file:///PATH`.
 *
 * @throws {TypeError} The address names no folder.
 */
export function parseFileUrl(url: string): string {
  const path = url.slice('file:'.length);
  if (path === '') throw new ArgumentError('names no folder: write file:PATH, for example file:./data');
  const isUrl = path.startsWith('//');
  const word = findShellSyntax(isUrl ? path.replace(/^\/+/, '').replaceAll(/%[0-9a-f]{2}/gi, '') : path);
  if (word !== undefined) {
    const literally = word.startsWith('~') ? `, or file:./${word} for a folder with that name` : '';
    throw new ArgumentError(`has ${word}, which only a shell expands: write the full path${literally}`);
  }
  if (!isUrl) return resolve(path);
  try {
    return fileURLToPath(url);
  } catch {
    throw new ArgumentError('is not a usable file URL: write file:PATH, for example file:./data');
  }
}
