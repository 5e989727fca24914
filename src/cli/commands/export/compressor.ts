import { createGzip } from 'node:zlib';

/** Turns text into the bytes of a file, piece by piece. */
export interface Compressor {
  /** The bytes that are ready, which may be none. */
  push(text: string): Promise<Uint8Array>;
  /** The last bytes. */
  end(): Promise<Uint8Array>;
}

/** Encodes only. */
export const noCompressor: Compressor = {
  push: (text) => Promise.resolve(Buffer.from(text)),
  end: () => Promise.resolve(Buffer.alloc(0)),
};

/** Compresses with gzip. */
export function createCompressor(): Compressor {
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
