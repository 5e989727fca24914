import { closeSync, constants, createReadStream, fstatSync, open, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { CommandError } from '../../command-error.ts';
import { notice, type Io } from '../../io.ts';

/** The content of a file. Its chunks end with an error as soon as the import is aborted. */
export interface Source {
  chunks: AsyncIterable<Uint8Array>;
  /** In bytes; `undefined` if it is unknown. */
  size: number | undefined;
  bytesRead: () => number;
}

/** Opens a file, or standard input for `-`. @throws {CommandError} `failed` when it cannot be read. */
export async function openSource(io: Io, file: string, signal: AbortSignal): Promise<Source> {
  if (file === '-') {
    if (io.stdin.isTTY === true) notice(io, 'reading from standard input; end with Ctrl-D');
    return { chunks: stoppable(io.stdin, signal), size: undefined, bytesRead: () => 0 };
  }
  const path = resolve(io.directory, file);
  try {
    const fd = await openToRead(path, signal);
    const stat = fstatSync(fd);
    if (stat.isDirectory()) {
      closeSync(fd);
      throw Object.assign(new Error(), { code: 'EISDIR' });
    }
    // A named pipe is read as a socket: a blocking read of a file could not be aborted.
    const stream = stat.isFIFO() ? new Socket({ fd, writable: false }) : createReadStream(path, { fd });
    return {
      chunks: stoppable(stream, signal),
      size: stat.isFile() ? stat.size : undefined,
      bytesRead: () => stream.bytesRead,
    };
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError('failed', {
      message:
        code === 'ENOENT'
          ? `cannot read ${file}: no such file`
          : code === 'EISDIR'
            ? `cannot read ${file}: it is a folder; name a file in it`
            : `cannot read ${file} (${code ?? 'unknown reason'})`,
    });
  }
}

/** Opens a file. A named pipe is opened only when another program writes to it; an abort does not wait for that. */
async function openToRead(path: string, signal: AbortSignal): Promise<number> {
  const opening = promisify(open)(path, 'r');
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    openAsWriter(path);
    timer = setTimeout(release, 20); // The system may not have begun to open it.
  };
  signal.addEventListener('abort', release);
  try {
    const fd = await opening;
    if (signal.aborted) closeSync(fd);
    signal.throwIfAborted();
    return fd;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', release);
  }
}

/** Ends an `open` that waits for a writer of a named pipe: the process could not exit before. */
function openAsWriter(path: string): void {
  try {
    if (statSync(path).isFIFO()) closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch {
    // Nothing waits yet.
  }
}

/** Destroys the stream on abort: a read that waits for input would not see the signal. */
function stoppable(stream: Readable, signal: AbortSignal): AsyncIterable<Buffer> {
  stream.on('error', () => undefined); // The reader gets the error; before it reads, nothing listens.
  return addAbortSignal(signal, stream) as AsyncIterable<Buffer>;
}
