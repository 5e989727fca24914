// Makes single calls on the files of a store fail, in the processes that a test starts.
import { execFile } from 'node:child_process';
import { openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder, type Scope } from '../support/temp.ts';

/** Kinds of calls, as `disk-faults.c` numbers them. */
export const calls = { open: 1, read: 2, write: 4, sync: 8, truncate: 16, name: 32 } as const;

export interface Fault {
  /** The calls that count. */
  readonly calls: readonly (keyof typeof calls)[];
  /** The number of the error (errno). Default: none, but only half of the bytes are read or written. */
  readonly error?: number;
  /** Whether all later calls fail, too. */
  readonly isLasting?: boolean;
}

const blockBytes = 1024;
const [folderAt, hitAt] = [28, 512];

/** The library, and what goes between it and the test: an image of the `struct block` of `disk-faults.c`. */
export class DiskFaults {
  /** The variables of a process that meets the faults. */
  readonly env: Readonly<Record<string, string>>;
  readonly #file: number;

  private constructor(env: Record<string, string>, file: number) {
    this.env = env;
    this.#file = file;
  }

  /** Compiles the library. @throws {Error} There is no compiler here. */
  static async create(scope: Scope): Promise<DiskFaults> {
    const folder = await temporaryFolder(scope);
    const [library, block] = [join(folder, 'disk-faults.so'), join(folder, 'block')];
    const source = join(import.meta.dirname, 'disk-faults.c');
    await promisify(execFile)('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
    writeFileSync(block, Buffer.alloc(blockBytes));
    return new DiskFaults({ LD_PRELOAD: library, DISK_FAULTS: block }, openSync(block, 'r+'));
  }

  /** From now on, the n-th of the calls on files below a folder meets the fault. */
  arm(folder: string, { calls: kinds, error = 0, isLasting = false }: Fault, n: number): void {
    this.disarm();
    const block = Buffer.alloc(blockBytes);
    const mask = kinds.reduce((sum, kind) => sum + calls[kind], 0);
    for (const [i, value] of [0, mask, error, Number(isLasting), n].entries())
      block.writeInt32LE(value, 4 * i);
    block.write(`${folder}\0`, folderAt);
    writeSync(this.#file, block, 0, blockBytes, 0);
    this.#setArmed(1);
  }

  disarm(): void {
    this.#setArmed(0);
  }

  /** How many calls have failed since `arm`, how many there were, and the last one that failed. */
  outcome(): { readonly hits: number; readonly count: number; readonly hit: string } {
    const block = Buffer.alloc(blockBytes);
    readSync(this.#file, block, 0, blockBytes, 0);
    const hit = block.toString('latin1', hitAt, block.indexOf(0, hitAt));
    return { count: block.readInt32LE(20), hits: block.readInt32LE(24), hit };
  }

  #setArmed(value: number): void {
    const armed = Buffer.alloc(4);
    armed.writeInt32LE(value);
    writeSync(this.#file, armed, 0, 4, 0);
  }
}
