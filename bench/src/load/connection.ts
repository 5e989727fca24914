import { connect, type Socket } from 'node:net';
import { ResponseReader } from './response-reader.ts';

/** All connections share it: each piece is processed before the next one is read. */
const shared = Buffer.allocUnsafeSlow(256 * 1024);

export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  /** The bytes of the next request. */
  readonly next: () => Buffer;
  /** Called when a response is complete. */
  readonly answered: (status: number, ms: number) => void;
  /** Called when the connection ends before its response. */
  readonly lost: () => void;
}

/** Opens a kept connection that sends its next request after each response. Returns a function that ends it. */
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
