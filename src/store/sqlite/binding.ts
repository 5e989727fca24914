// Loads SQLite. The only file that names the package.
import { createRequire } from 'node:module';
import type { DatabaseSync, StatementSync, backup } from '@photostructure/sqlite';
import { ShelflistError } from '../../catalogue/errors.ts';

/** The API of `node:sqlite`, which can replace the binding once Node 20 is no longer supported. */
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

/** The global key of the path of the binding that this process loaded first. */
const key = Symbol.for('shelflist.sqlite');
const shared = globalThis as { [key]?: string | undefined };

/**
 * The path of the binding for this process. Two installed copies of the package use the one that was loaded first: two
 * copies of SQLite in a process release each other's file locks (sqlite.org/howtocorrupt.html, section 2.2.1).
 *
 * @throws {ShelflistError} `store_unusable`: the package is not installed.
 */
export function locateBinding(): string {
  try {
    return (shared[key] ??= createRequire(import.meta.url).resolve('@photostructure/sqlite'));
  } catch (cause) {
    throw unloadable(cause);
  }
}

/** @throws {ShelflistError} `store_unusable`: there is no binary for this platform. */
export function loadBinding(path = locateBinding()): Binding {
  try {
    return createRequire(path)(path) as Binding;
  } catch (cause) {
    throw unloadable(cause);
  }
}

function unloadable(cause: unknown): ShelflistError {
  return new ShelflistError('store_unusable', {
    message:
      `cannot load SQLite for ${process.platform} ${process.arch}: reinstall the dependencies on this machine ` +
      '(npm ci), or use MongoDB (DATABASE_URL=mongodb://…)',
    cause,
  });
}
