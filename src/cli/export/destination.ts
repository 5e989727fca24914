import { open } from 'node:fs/promises';
import type { Io } from '../io.ts';
import { findOutputFile } from '../output-file.ts';
import { write } from '../output/records.ts';

/** Where an export goes. */
export interface Destination {
  /** `false` when nobody reads any more. @throws {ShelflistError} `failed`: the disk is full, for example. */
  write(text: string): Promise<boolean>;
  /** All of it was written: a file has its name from here on. */
  keep(): Promise<void>;
  /** It is not all of it: a file is taken away. */
  drop(): Promise<void>;
}

/**
 * Opens a file, or standard output for `-`. A file is written beside its name and gets it when it is whole, so that
 * there is never half of one; what `replace` replaces keeps its mode, and stays where a link to it leads.
 *
 * @throws {ShelflistError} `failed`: it is there already and `replace` is not said, or it cannot be made.
 */
export async function openDestination(io: Io, file: string, replace: boolean): Promise<Destination> {
  if (file === '-') {
    return {
      write: (text) => write(io, text),
      keep: () => Promise.resolve(),
      drop: () => Promise.resolve(),
    };
  }
  const output = await findOutputFile(io, file, { replace, otherwise: '; - is standard output' });
  const handle = await output.attempt(() => open(output.draft, 'wx', output.mode));
  return {
    write: (text) =>
      output.attempt(async () => {
        await handle.appendFile(text);
        return true;
      }),
    keep: async () => {
      await output.attempt(() => handle.close());
      await output.keep();
    },
    drop: async () => {
      await handle.close();
      await output.drop();
    },
  };
}
