// Loads SQLite: that of Node where it is stable and new enough, else that of the package. The only file that names either.
import { createRequire } from 'node:module';
import type { DatabaseSync, StatementSync, backup } from '@photostructure/sqlite';
import { ShelflistError } from '../../catalogue/errors.ts';

/** The API of `node:sqlite`, which the package has, too. */
interface Binding {
  readonly DatabaseSync: typeof DatabaseSync;
  readonly backup: typeof backup;
}

export type Connection = InstanceType<typeof DatabaseSync>;
export type Statement = InstanceType<typeof StatementSync>;

/** One value of a row. */
export type Value = null | number | bigint | string | Uint8Array;
/** A row of any statement here: its columns in order. */
export type Row = readonly Value[];

/** Node's own. Before these releases it is an experiment, of which Node warns. That of Deno opens no addresses (`file:`). */
const builtIn = 'node:sqlite';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isStable = major > 25 || (major === 25 && minor >= 7) || (major === 24 && minor >= 15);
const isNode = !('deno' in process.versions || 'bun' in process.versions);

/** Whether a version of SQLite is 3.51.3 or later. In an earlier one, a reset of the write-ahead log could damage the file. */
export function isSafe(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major > 3 || (major === 3 && (minor > 51 || (minor === 51 && patch >= 3)));
}

/** The Node of a Linux distribution may use the system's SQLite, of any version. */
function hasSafeBuiltIn(): boolean {
  if (!isStable || !isNode) return false;
  const db = new (loadBinding(builtIn).DatabaseSync)(':memory:', { returnArrays: true });
  try {
    const [version] = db.prepare('SELECT sqlite_version()').get() as unknown as Row;
    return isSafe(String(version));
  } finally {
    db.close();
  }
}

/** This file, from which the package is found. A bundler that makes CommonJS leaves `import.meta.url` empty. */
const here = typeof __filename === 'string' ? __filename : import.meta.url;

/** The global key of the path of the binding that this process loaded first. */
const key = Symbol.for('shelflist.sqlite');
const shared = globalThis as { [key]?: string | undefined };

/**
 * The path of the binding for this process, or the name of Node's own. Two installed copies of the package use the one that was loaded first: two
 * copies of SQLite in a process release each other's file locks (sqlite.org/howtocorrupt.html, section 2.2.1).
 *
 * @throws {ShelflistError} `store_unusable`: the package is not installed.
 */
export function locateBinding(): string {
  try {
    return (shared[key] ??= hasSafeBuiltIn()
      ? builtIn
      : createRequire(here).resolve('@photostructure/sqlite'));
  } catch (cause) {
    throw unloadable(cause);
  }
}

/** Lets this thread use the binding that another one has located. */
export function useBinding(path: string): void {
  shared[key] = path;
}

/** @throws {ShelflistError} `store_unusable`: there is no binary for this platform. */
export function loadBinding(path = locateBinding()): Binding {
  try {
    if (path === builtIn) return process.getBuiltinModule(builtIn) as unknown as Binding; // Its types are those of an older release.
    return createRequire(path)(path) as Binding;
  } catch (cause) {
    throw unloadable(cause);
  }
}

function unloadable(cause: unknown): ShelflistError {
  return new ShelflistError('store_unusable', {
    message:
      `cannot load SQLite for ${process.platform} ${process.arch}: reinstall the dependencies on this machine ` +
      '(npm ci), or use MongoDB (DATABASE_URL=mongodb://…); a bundler must leave @photostructure/sqlite out (external)',
    cause,
  });
}
