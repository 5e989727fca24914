// What a driver does with the address of a store: open, inspect, redact, back up, restore.
import type { FileSystem } from '../../lib/file-system.ts';
import type { CopySource, CopyTarget } from './copy.ts';
import type { BookStore, StoreOptions } from './store.ts';

/** The operations on the address of a store. A driver is loaded when its scheme is first used. */
export interface Driver {
  /**
   * Opens the store; creates it if there is none. It receives whole and parsed books: `openStore` parses them before.
   *
   * @throws {ShelflistError} `store_unusable`: it cannot be reached (within 5 s) or prepared. The message says what to do.
   */
  open(url: string, options: StoreOptions): Promise<BookStore>;
  /**
   * Examines a store without changing it.
   *
   * @returns `undefined` when there is no store yet.
   * @throws {ShelflistError} `store_unusable`.
   */
  inspect(url: string): Promise<StoreReport | undefined>;
  /** The address without its secrets, for messages. */
  redact(url: string): string;
  /** Opens a catalogue to copy it. A driver without these methods cannot be copied. @throws {ShelflistError} `store_unusable` */
  openSource?(url: string): Promise<CopySource>;
  /** Opens an empty store for a copy. @throws {ShelflistError} `store_unusable`: it is not empty. */
  openTarget?(url: string): Promise<CopyTarget>;
  /**
   * Refuses what `openTarget` and `restore` refuse, and changes nothing.
   *
   * @throws {ShelflistError} `store_unusable`: a store exists already, or none can be created there.
   */
  checkTarget?(url: string): Promise<void>;
  /**
   * Copies the store into one file while services use it. A driver without this method has a separate tool.
   *
   * @param file A path where nothing exists yet.
   * @throws {ShelflistError} `store_unusable`; the system's error when the file cannot be written.
   */
  backup?(url: string, file: string): Promise<BackupReport>;
  /** Returns what identifies the backups of this store: 8 hexadecimal digits. */
  backupSeries?(url: string): Promise<string>;
  /** Notes that a backup has reached its place, for {@link BookStore.measure}. */
  noteBackup?(url: string): Promise<void>;
  /**
   * Creates a store from a backup, where none exists yet.
   *
   * @param signal Aborts the restore; nothing is left behind.
   * @param name The name of the file for errors.
   * @throws {ShelflistError} `store_unusable`: a store exists already, or the file is not a backup.
   */
  restore?(file: string, url: string, signal: AbortSignal, name: string): Promise<BackupReport>;
}

/** The result of {@link Driver.inspect}. */
export interface StoreReport {
  /** The last id allocated, by the counter. */
  readonly lastId: number;
  /** The highest id of a book; 0 when there is none. */
  readonly highestId: number;
  /** The ids of records that are not books, the first hundred. */
  readonly damaged: readonly number[];
  /** The problems that the engine's own check found; empty for a sound store. */
  readonly problems: readonly string[];
  /** What hinders a start or a search although nothing is damaged, each with a fix; missing when there is nothing. */
  readonly obstacles?: readonly Obstacle[];
  /** What is wrong with the clock of the machine; missing when nothing is. */
  readonly clockProblem?: string;
  /** The disk of a store on this machine. */
  readonly disk?: FileSystem;
}

export interface Obstacle {
  readonly finding: string;
  readonly fix: string;
}

export interface BackupReport {
  readonly books: number;
  /** The number of its format. */
  readonly format: number;
  /** The time of the last change. */
  readonly changedAt: Date;
  /** The last id allocated. */
  readonly lastId: number;
  /** The ids of records that are not books, the first hundred. */
  readonly damaged: readonly number[];
  /** A part of another program in a new backup, with which starts and restores refuse it, and what to do; missing when there is none. */
  readonly foreign?: string;
}

/** Why a store does not belong on a network file system (https://sqlite.org/wal.html). */
export function describeNetwork(kind: string): string {
  return `the store is on a network file system (${kind}), where SQLite can lose writes; move it to a disk of this machine`;
}
