import { open } from 'node:fs/promises';
import { createGzip } from 'node:zlib';
import { isGzipName } from '../../../formats/file-formats.ts';
import type { Io } from '../../io.ts';
import { findOutputFile } from '../../ui/output-file.ts';
import { write } from '../../ui/write.ts';

/** The destination of an export. */
export interface Destination {
  /** Returns `false` if the reader has gone. @throws {ShelflistError} `failed`: the disk is full, for example. */
  write(text: string): Promise<boolean>;
  /** Gives a complete file its name. */
  keep(): Promise<void>;
  /** Removes an incomplete file. */
  drop(): Promise<void>;
}

/**
 * Opens a file, or standard output for `-`. A file whose name ends in `.gz` is compressed. It is written under a temporary name and renamed when it is complete. A
 * replaced file keeps its mode, and links to it stay valid.
 *
 * @throws {ShelflistError} `failed`: it exists and `replace` is false, or it cannot be created.
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
  const compressor = isGzipName(file) ? createCompressor() : noCompressor;
  return {
    write: (text) =>
      output.attempt(async () => {
        await handle.appendFile(await compressor.push(text));
        return true;
      }),
    keep: async () => {
      await output.attempt(async () => {
        await handle.appendFile(await compressor.end());
        await handle.close();
      });
      await output.keep();
    },
    drop: async () => {
      await handle.close();
      await output.drop();
    },
  };
}

/** Turns text into the bytes of a file, piece by piece. */
interface Compressor {
  /** The bytes that are ready, which may be none. */
  push(text: string): Promise<Uint8Array>;
  /** The last bytes. */
  end(): Promise<Uint8Array>;
}

/** Encodes only. */
const noCompressor: Compressor = {
  push: (text) => Promise.resolve(Buffer.from(text)),
  end: () => Promise.resolve(Buffer.alloc(0)),
};

/** Compresses with gzip. */
function createCompressor(): Compressor {
  const stream = createGzip();
  const ready: Uint8Array[] = [];
  stream.on('data', (chunk: Uint8Array) => ready.push(chunk));
  const take = () => Buffer.concat(ready.splice(0));
  return {
    async push(text) {
      await new Promise<void>((resolve, reject) => {
        stream.write(text, (error) => {
          if (error) reject(error);
          else resolve();
        });
      });
      return take();
    },
    async end() {
      await new Promise<void>((resolve) => stream.once('end', resolve).end());
      return take();
    },
  };
}
