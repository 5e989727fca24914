import { connect, type Socket } from 'node:net';

/**
 * Sends bytes unchanged; returns everything received until the server closes the connection, or until it is enough: then
 * this closes the connection.
 */
export async function exchange(
  port: number,
  bytes: string | Buffer,
  isEnough?: (text: string) => boolean,
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  if (isEnough !== undefined) {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (isEnough(text)) socket.destroy();
    });
  }
  return received(socket);
}

/** Everything that a connection receives until it closes. */
export async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => chunks.push(chunk));
  // `once` of node:events would reject on an error, but what was received before it counts.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

/** The statuses and bodies of consecutive HTTP responses. */
export function responses(text: string): { status: number; body: string }[] {
  const found: { status: number; body: string }[] = [];
  for (let rest = text; rest !== '';) {
    const [head = '', ...after] = rest.split('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const body = after.join('\r\n\r\n');
    found.push({ status, body: body.slice(0, length) });
    rest = body.slice(length);
  }
  return found;
}
