import { join, relative } from 'node:path';
import process from 'node:process';

const root = join(import.meta.dirname, '../..');

/** The name below its folder that `compiled.ts` gives to a source. */
export function compiledName(source: string): string {
  return relative(root, source).replace(/\.tsx?$/, '.mjs');
}

/** The compiled form of a source: a script for a process that a test starts. */
export function compiledPath(source: string): string {
  return join(process.env.COMPILED_FOLDER ?? '', compiledName(source));
}
