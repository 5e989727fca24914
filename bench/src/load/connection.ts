import { connect, type Socket } from 'node:net';
import { ResponseReader } from './response-reader.ts';

/** One for all connections: each piece is dealt with before the next one is read. */
const shared = Buffer.allocUnsafeSlow(256 * 1024);

export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  /** The bytes of the next request. */
  readonly next: () => Buffer;
  /** An answer is complete. */
  readonly answered: (status: number, ms: number) => void;
  /** It has ended before its answer. */
  readonly lost: () => void;
}

/** A kept connection that asks again as soon as it is answered. Gives what ends it. */
export function openConnection({ host, port, next, answered, lost }: ConnectionOptions): () => void {
  let begun = 0;
  let isOver = false;
  const send = () => {
    begun = performance.now();
    socket.write(next());
  };
  const reader = new ResponseReader((status) => {
    answered(status, performance.now() - begun);
    if (!isOver) send();
  });
  const socket: Socket = connect({
    host,
    port,
    noDelay: true,
    onread: {
      buffer: shared,
      callback(length, buffer) {
        reader.read((buffer as Buffer).subarray(0, length));
        return true;
      },
    },
  });
  socket.on('connect', send);
  socket.on('error', () => undefined); // 'close' follows.
  socket.on('close', () => {
    if (!isOver) lost();
  });
  return () => {
    isOver = true;
    socket.destroy();
  };
}
