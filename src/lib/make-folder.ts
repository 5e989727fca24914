import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents; returns the new ones, outermost first. Errors are those of the system.
 *
 * Node's `mkdir` with `recursive` never returns if the system reports ENOENT although the parent exists: in /proc, on a stale
 * mount, or in a deleted folder.
 */
export function makeFolder(path: string, mode?: number): string[] {
  if (isFolder(path)) return [];
  const parent = dirname(path);
  const made = parent === path ? [] : makeFolder(parent, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (isFolder(path)) return made; // Another process created it at the same moment.
    throw error;
  }
  return [...made, path];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
