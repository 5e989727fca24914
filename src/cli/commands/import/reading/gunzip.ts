import { createGunzip } from 'node:zlib';
import { ShelflistError } from '../../../../catalogue/errors.ts';
import { cutOff } from './row.ts';

/** In bytes. A compressed byte may become a thousand. */
const maxWrite = 4096;

/**
 * Decompresses a file that is compressed with gzip, which its first two bytes tell; passes any other unchanged.
 *
 * @throws {ShelflistError} `failed`, after what precedes it: it is damaged or cut off.
 */
export async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  let start: Uint8Array = Buffer.alloc(0);
  try {
    for (let next = await chunks.next(); next.done !== true && start.length < 2;) {
      start = Buffer.concat([start, next.value]);
      if (start.length < 2) next = await chunks.next();
    }
    const whole = { [Symbol.asyncIterator]: () => prepend(start, chunks) };
    if (start[0] === 0x1f && start[1] === 0x8b) yield* decompress(whole);
    else yield* whole;
  } finally {
    await chunks.return?.();
  }
}

async function* prepend(start: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** Yields what precedes a failure before it throws: the iterator of a stream would discard it. */
async function* decompress(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = createGunzip();
  const ready: Uint8Array[] = [];
  const state: { failure?: Error } = {};
  stream.on('data', (chunk: Uint8Array) => ready.push(chunk));
  stream.on('error', (error) => (state.failure = error));
  let wake: () => void = () => undefined;
  stream.on('close', () => {
    wake(); // After an error, a write is not answered.
  });
  const done = (start: (wake: () => void) => void) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      start(resolve);
    });
  try {
    for await (const chunk of bytes)
      for (let at = 0; at < chunk.length && !state.failure; at += maxWrite) {
        const part = chunk.subarray(at, at + maxWrite);
        await done((resume) => stream.write(part, resume));
        yield* ready.splice(0);
      }
    if (!state.failure) await done(() => stream.end());
    yield* ready.splice(0);
    if (state.failure) throw describe(state.failure);
  } finally {
    stream.destroy();
  }
}

function describe(error: NodeJS.ErrnoException): ShelflistError {
  if (error.code === 'Z_BUF_ERROR') return cutOff('its compressed data ends in the middle');
  return new ShelflistError('failed', {
    message: `the compressed file is damaged (${error.message}); the rest of it was not read`,
    cause: error,
  });
}
