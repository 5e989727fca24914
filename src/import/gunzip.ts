// Bytes to bytes: decompresses gzip.
import { Inflate, Z_OK, Z_SYNC_FLUSH } from 'pako';
import { FileError } from '../formats/problems.ts';

/** In bytes. A compressed byte may become a thousand. */
const maxWrite = 4096;

/**
 * Decompresses a file that is compressed with gzip, in one or more members. Zeros after the last one are padding.
 *
 * Uses pako, because `DecompressionStream` fails on several members and on padding in Chromium.
 *
 * @throws {FileError} It is damaged or cut off. What precedes the damage comes first, but for the last kilobytes.
 */
export async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let inflate = createInflate(ready);
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length; at += maxWrite) {
      const part = chunk.subarray(at, at + maxWrite);
      if (inflate.ended) {
        if (part[0] === 0) return;
        inflate = createInflate(ready);
      }
      inflate.push(part, Z_SYNC_FLUSH);
      yield* ready.splice(0);
      if (inflate.err !== Z_OK) throw new FileError({ code: 'compression', detail: inflate.msg });
    }
  if (!inflate.ended) throw new FileError({ code: 'cutOff', at: 'compression' });
}

function createInflate(ready: Uint8Array[]): Inflate {
  const inflate = new Inflate({ chunkSize: 64 * 1024 });
  inflate.onData = (chunk) => ready.push(chunk);
  return inflate;
}
