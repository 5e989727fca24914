import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';
import type { Scope } from './temp.ts';

const reply = 1;
const [headBytes, query, message] = [16, 2004, 2013];

/**
 * A server that answers like the primary of the set `rs0`, for cases that a real one cannot produce. It ends with the scope.
 *
 * @param hello Replaces fields of its description.
 * @param answer Answers the other commands, by name.
 * @returns Its host and port.
 */
export async function startFakeMongod(
  scope: Scope,
  hello: Document = {},
  answer: (command: string) => Document = () => ({ ok: 0, code: 59, errmsg: 'no such command' }),
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      // A server without TLS ends a connection that begins with something else.
      if (received.length > headBytes && ![query, message].includes(received.readInt32LE(12)))
        socket.destroy();
      else answerAll();
    });
    const answerAll = () => {
      while (received.length > headBytes && received.length >= received.readInt32LE(0)) {
        const size = received.readInt32LE(0);
        socket.write(answerTo(received.subarray(0, size)));
        received = received.subarray(size);
      }
    };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const answerTo = (request: Buffer): Buffer => {
    const isMessage = request.readInt32LE(12) === message;
    // An old query has flags, a name and two numbers before its document; a message has flags and a kind.
    const at = isMessage ? headBytes + 5 : request.indexOf(0, headBytes + 4) + 9;
    const command = BSON.deserialize(request.subarray(at, at + request.readInt32LE(at)));
    const name = Object.keys(command)[0] ?? '';
    const body = Buffer.from(
      BSON.serialize(/^(?:hello|ismaster)$/i.test(name) ? { ...primary, ...hello } : answer(name)),
    );
    const head = Buffer.alloc(isMessage ? headBytes + 5 : headBytes + 20);
    head.writeInt32LE(head.length + body.length, 0);
    head.writeInt32LE(request.readInt32LE(4), 8);
    head.writeInt32LE(isMessage ? message : reply, 12);
    if (!isMessage) head.writeInt32LE(8, 16);
    if (!isMessage) head.writeInt32LE(1, 32);
    return Buffer.concat([head, body]);
  };
  const primary = {
    ismaster: true,
    isWritablePrimary: true,
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    minWireVersion: 0,
    maxWireVersion: 21,
    logicalSessionTimeoutMinutes: 30,
    setName: 'rs0',
    setVersion: 1,
    hosts: [place],
    primary: place,
    me: place,
    ok: 1,
  };
  return place;
}
