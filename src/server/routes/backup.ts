import { open, mkdtemp, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { backUpStore, noteBackup } from '../../store/drivers.ts';
import { noStore } from '../http/reply.ts';
import { isDisconnected, writeOrDrop } from '../http/writing.ts';
import { route, type Route } from './route.ts';

/** A client that reads nothing for this long is disconnected: others may be waiting. */
const maxStallMs = 30_000;
/** The bytes of the file in memory at once. */
const pieceBytes = 256 * 1024;
/** The `Retry-After` while another client gets its copy, in seconds. */
const busySeconds = 10;

/**
 * `GET /backup`: a copy of the embedded store, outside the envelope.
 *
 * @param url The address of the store; `undefined`: it cannot be copied.
 */
export function backupRoute(url: string | undefined, logger: Logger): Route {
  /** The one copy that is being made or sent. */
  let current: object | undefined;
  return route('getBackup', {
    isLong: true,
    headers: { ...noStore, 'Content-Type': 'application/vnd.sqlite3' },
    document: {
      tag: 'operation',
      summary: 'Save a copy of the books',
      description:
        'A consistent and checked copy of the embedded store, as of one moment, without an envelope. `shelflist restore` makes a ' +
        'store of it. One copy at a time. On a store of another kind, the response is 501.',
      data: { type: 'string', format: 'binary' },
      headers: ['Content-Disposition'],
    },
    async handle() {
      if (url === undefined) throw new ShelflistError('not_implemented');
      if (current !== undefined)
        throw new ShelflistError('unavailable', {
          message: 'another copy is being made or sent; try again',
          retryAfter: busySeconds,
        });
      const own = (current = {});
      const release = () => {
        if (current === own) current = undefined;
      };
      try {
        const copy = await makeCopy(url);
        return {
          headers: {
            'Content-Disposition': `attachment; filename="shelflist-${new Date().toISOString().slice(0, 10)}.backup"`,
            'Content-Length': String(copy.size),
          },
          async stream(response) {
            try {
              await send(copy, response, release);
            } finally {
              release();
              await copy.close();
            }
            if (await isTaken(response))
              await noteBackup(url).catch((error: unknown) => {
                logger.warn({}, `cannot record the time of a backup: ${(error as Error).message}`);
              });
          },
          drop: () => {
            release();
            copy.close().catch((error: unknown) => {
              logger.warn({}, `cannot remove a temporary copy: ${(error as Error).message}`);
            });
          },
        };
      } catch (error) {
        release();
        throw error;
      }
    },
  });
}

/** A temporary copy of a store. Only the user of the service can read it. */
interface Copy {
  readonly file: FileHandle;
  readonly size: number;
  /** Removes it. */
  readonly close: () => Promise<void>;
}

/** @throws {ShelflistError} `unavailable`: the copy cannot be written; and as {@link backUpStore}. */
async function makeCopy(url: string): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflist-backup-')).catch((cause: unknown) => {
    throw unwritable(cause);
  });
  const remove = () => rm(folder, { recursive: true, force: true });
  let file: FileHandle | undefined;
  try {
    const path = join(folder, 'copy');
    await backUpStore(url, path);
    file = await open(path);
    const opened = file;
    const { size } = await opened.stat();
    // Where an open file can lose its name, a crash leaves nothing.
    await remove().catch(() => undefined);
    return {
      file: opened,
      size,
      close: async () => {
        await opened.close();
        await remove();
      },
    };
  } catch (error) {
    await file?.close();
    await remove().catch(() => undefined);
    throw error instanceof ShelflistError ? error : unwritable(error);
  }
}

function unwritable(cause: unknown): ShelflistError {
  return new ShelflistError('unavailable', {
    message: `cannot write a copy of the store to ${tmpdir()} (${(cause as Error).message}); set TMPDIR to a folder with room`,
    cause,
  });
}

/**
 * Sends a copy at the pace of its reader, until the last byte or the reader has gone.
 *
 * @param onLast Called before the last bytes are sent: with them, the reader may ask for another copy.
 */
async function send({ file, size }: Copy, response: ServerResponse, onLast: () => void): Promise<void> {
  for (let sent = 0; sent < size && !isDisconnected(response);) {
    const piece = Buffer.alloc(Math.min(pieceBytes, size - sent));
    const { bytesRead } = await file.read(piece, { position: sent });
    if (bytesRead === 0) throw new Error('the copy has become shorter');
    sent += bytesRead;
    if (sent === size) onLast();
    await writeOrDrop(response, piece.subarray(0, bytesRead), maxStallMs);
  }
}

/** Ends a response. Returns whether the system has taken all of it. */
async function isTaken(response: ServerResponse): Promise<boolean> {
  if (isDisconnected(response)) return false;
  const { socket } = response.req; // Other responses can follow on it.
  await new Promise<void>((resolve) => {
    const done = () => {
      socket.off('close', done);
      resolve();
    };
    socket.once('close', done);
    response.end(done);
  });
  return response.writableFinished;
}
